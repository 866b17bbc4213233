"""Real Keras on real TensorFlow: with the probe and without, scraped before and after, with faults."""

from __future__ import annotations

import hashlib
import json
import threading
import time
import urllib.request

from builder.probe import start

probe = start(port=0, timeout=60)  # no machine is so slow that TensorFlow would be taken for hanging


def scrape() -> str:
    with urllib.request.urlopen(probe.url, timeout=30) as answer:
        return str(answer.read().decode())


before_import = scrape()

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

before_context = scrape()
# Raises where anything has made the eager context, as set_memory_growth does.
tf.config.threading.set_inter_op_parallelism_threads(2)

SIZE, BATCH = 640, 32
source = np.random.default_rng(7)
x = source.random((SIZE, 64)).astype("float32")
y = source.random((SIZE, 1)).astype("float32")


def fit(*callbacks: object, **options: int) -> str:
    """A digest of the weights after two epochs with validation."""
    keras.utils.set_random_seed(7)
    model = keras.Sequential([keras.layers.Input((64,)), keras.layers.Dense(1024), keras.layers.Dense(1)])
    model.compile("sgd", "mse", **options)
    model.fit(
        x, y, epochs=2, batch_size=BATCH, validation_split=0.2, shuffle=False, callbacks=list(callbacks), verbose=0
    )
    return hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest()


plain = fit()
result = {"plain": plain, "before_context": before_context}
result["watched"] = fit(probe.keras_callback(batch_size=BATCH))
first = scrape()
result["after_one_fit"] = first
# 16 steps an epoch in executions of 5: the last one of each epoch is short.
result["executions_plain"] = fit(steps_per_execution=5)
result["executions"] = fit(probe.keras_callback(batch_size=BATCH), steps_per_execution=5)
kept = tf.Variable(tf.ones((1024, 1024)))  # memory that does not come and go while it is compared
result["info"] = tf.config.experimental.get_memory_info("CPU:0")
result["after_two_fits"] = scrape()


real = tf.config.experimental.get_memory_info


def raising(device: str) -> object:
    raise tf.errors.InternalError(None, None, "made to fail")


def hanging(device: str) -> object:
    released.wait(120)
    return real(device)


def fit_while(faulty: object) -> str:
    """A digest of the weights, scraped while it fits and TensorFlow does not answer as it should."""
    tf.config.experimental.get_memory_info = faulty
    scraping = threading.Thread(target=scrape)
    scraping.start()
    learnt = fit(probe.keras_callback(batch_size=BATCH))
    scraping.join()
    tf.config.experimental.get_memory_info = real
    return learnt


wrong = (raising, lambda device: "garbage", lambda device: {"current": float("nan")})
result["faults"] = [fit_while(faulty) for faulty in wrong]
result["after_faults"] = scrape()

probe.stop()
probe = start(port=0, timeout=0.3)
released = threading.Event()
result["faults"].append(fit_while(hanging))
result["while_it_hangs"] = scrape()
released.set()
deadline = time.monotonic() + 120
while "train_device_memory_in_use_bytes{" not in (last := scrape()) and time.monotonic() < deadline:
    time.sleep(0.1)  # a slow machine may take longer than the timeout for a sound answer
result["after_the_hang"] = last
print(json.dumps(result))
