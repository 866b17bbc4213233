"""A loop by hand over tf.data, with a checkpoint and an evaluation; then it waits to be scraped.

Prints the scrape address and what TensorFlow says of its memory; ends when its standard input does.
"""

from __future__ import annotations

import json
import sys

from builder.probe import start

probe = start(port=0, **json.loads(sys.argv[1]))

import tensorflow as tf  # noqa: E402

weight = tf.Variable(tf.ones((1024, 1024)))
data = tf.data.Dataset.from_tensor_slices(tf.ones((32 * 10, 1024))).batch(32)


@tf.function
def update(batch: tf.Tensor) -> None:
    weight.assign_sub(0.001 * tf.matmul(batch, batch, transpose_a=True))


probe.begin()
for epoch in range(3):
    for batch in probe.batches(data):
        update(batch)
        probe.step(records=32)
    with probe.phase("evaluate"):
        tf.reduce_sum(weight)
    with probe.checkpoint():
        tf.io.write_file(f"{sys.argv[2]}/{epoch}", tf.io.serialize_tensor(weight))
del batch
print(json.dumps({"url": probe.url, **tf.config.experimental.get_memory_info("CPU:0")}), flush=True)
sys.stdin.read()
