"""Configuration: defaults, every kind of mistake with its line, and overrides laid over a profile."""

from __future__ import annotations

import pytest

from builder.catalog.model import Match
from builder.catalog.profiles import GPU_PROFILES, PROFILES
from builder.config import LOG_SELECTORS, Config, parse, profile_with, resolve_profile
from builder.errors import ConfigError, UnknownName


def refused(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        parse(text, "gpuboards.yaml")
    return caught.value


def test_one_line_is_enough() -> None:
    assert parse("profile: dcgm", "gpuboards.yaml") == Config()


def test_everything_that_can_be_said() -> None:
    config = parse(
        """\
profile: nvidia-smi
training: tf-snippet
host: none
source: recorded
datasources:
  prometheus: {name: Mimir, uid: mimir-eu, url: "https://mimir.example:8443/prometheus"}
  loki:
    uid: logs
folder: {title: Research GPUs, uid: research}
provider:
  path: /srv/boards
  update_interval_seconds: 60
  allow_ui_updates: true
logs:
  selector: '{namespace="{namespace}", pod=~"{pod}.*", app!=""}'
thresholds:
  temperature_critical: 90
  utilisation_idle: 0.05
refresh: ""
time_from: now-2d/d
profiles:
  nvidia-smi:
    interval: 60
""",
        "gpuboards.yaml",
    )
    assert (config.profile, config.training, config.host) == ("nvidia-smi", "tf-snippet", "none")
    assert config.datasources.prometheus.url == "https://mimir.example:8443/prometheus"
    assert (config.datasources.loki.name, config.datasources.loki.uid) == ("Loki", "logs")
    assert (config.folder.title, config.folder.uid) == ("Research GPUs", "research")
    assert (config.provider.path, config.provider.update_interval_seconds) == ("/srv/boards", 60)
    assert config.provider.allow_ui_updates and not config.provider.disable_deletion
    assert config.logs.selector.endswith('app!=""}')
    assert (config.thresholds.temperature_warning, config.thresholds.temperature_critical) == (80, 90)
    assert isinstance(config.thresholds.temperature_critical, float)
    assert (config.refresh, config.time_from) == ("", "now-2d/d")
    assert resolve_profile(config).interval == 60


def test_empty_sections_are_the_defaults() -> None:
    assert parse("profile: dcgm\nthresholds:\nfolder: {}\n", "f") == Config()


@pytest.mark.parametrize("preset", sorted(LOG_SELECTORS))
def test_log_presets_pass_their_own_check(preset: str) -> None:
    config = parse(f"logs: {{preset: {preset}}}", "f")
    assert parse(f"logs: {{selector: '{config.logs.selector}'}}", "f").logs == config.logs


# what is not readable at all -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("", "gpuboards.yaml", "the configuration is empty"),
        ("# nothing yet\n", "gpuboards.yaml", "the configuration is empty"),
        ("- profile: dcgm\n", "gpuboards.yaml:1", "expected keys and values at the top"),
        ("dcgm\n", "gpuboards.yaml:1", "expected keys and values at the top"),
        ("profile: dcgm\n\tfolder: x\n", "gpuboards.yaml:2", "a tab"),
        ('refresh: 1m\nprofile: "dcg', "gpuboards.yaml:2", "that began in line 2"),
        ("folder: {title: GPU,\n", "gpuboards.yaml:2", "the file ends in the middle of something"),
        ("profile: dcgm\n---\nprofile: dcgm\n", "gpuboards.yaml:2", "more than one YAML document"),
        ("profile: dcgm\nrefresh: \x00\n", "gpuboards.yaml:2", "character 0x0 is not allowed"),
        ("refresh: 1m\nrefresh: 2m\n", "gpuboards.yaml:2", "the key 'refresh' is here twice"),
        ("folder:\n  uid: a\n  uid: b\n", "gpuboards.yaml:3", "the key 'uid' is here twice"),
        ("? [a]\n: b\n", "gpuboards.yaml:1", "a key that is not a word"),
        ("profile: !!python/object:os.system x\n", "gpuboards.yaml:1", "means nothing here"),
        ("profile: *dcgm\n", "gpuboards.yaml:1", "undefined alias"),
        ("[" * 5000, "gpuboards.yaml", "nested too deeply"),
        ("{a: " * 50 + "1" + "}" * 50, "gpuboards.yaml:1", "nested too deeply"),
        ("folder: &f\n  title: *f\n", "gpuboards.yaml:1", "nested too deeply"),
    ],
)
def test_unreadable(text: str, where: str, what: str) -> None:
    error = refused(text)
    assert error.where == where
    assert what in error.what


def test_anchors_that_multiply_are_stopped() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{n}: &{n} [{', '.join([f'*{chr(ord(n) - 1)}'] * 10)}]" for n in "bcdefghij"]
    assert "too large" in refused("\n".join(lines)).what


def test_a_plain_alias_is_fine() -> None:
    text = "datasources:\n  prometheus: {url: &u 'http://a'}\n  loki: {url: *u}\n"
    assert parse(text, "f").datasources.loki.url == "http://a"


# what is readable but wrong ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "what", "fix"),
    [
        ("profil: dcgm", 1, "unknown key 'profil'", "profile"),
        ("folder:\n  titel: GPU", 2, "unknown key 'titel' in folder", "title"),
        ("thresholds:\n\n  temperatur_warning: 70", 3, "unknown key", "temperature_warning"),
        ("datasources: {prometheus: {uuid: x}}", 1, "'uuid' in datasources.prometheus", "uid"),
        ("profile: dcmg", 1, "unknown profile 'dcmg'", "dcgm"),
        ("profile: probe", 1, "unknown profile 'probe'", "dcgm"),
        ("profiles:\n  dcgn: {}", 2, "unknown key 'dcgn'", "dcgm"),
        ("training: probes", 1, "'probes' is none of", "probe"),
        ("host: no", 1, "host: expected text, found true or false", "quotes"),
        ("recording: {also: dcgn}", 1, "recording.also: unknown profile 'dcgn'", "dcgm"),
        ("recording: {also: [nvidia-smi, nvidia-smi]}", 1, "'nvidia-smi' is named twice", "once"),
        ("recording: {interval: 120}", 1, "120 is out of range", "5 to 70"),
        ("prometheus_version: 2.42", 1, "expected text, found a number", "quotes"),
        ("prometheus_version: '2.36'", 1, "is not a version", "2.37"),
        ("prometheus_version: '3'", 1, "is not a version", "2.37"),
        ("source: row", 1, "'row' is none of raw, recorded", "raw"),
        ("profile: [dcgm]", 1, "expected text, found a list", ""),
        ("profile: 5", 1, "expected text, found a whole number", "quotes"),
        ("profile:", 1, "expected text, found nothing", ""),
        ("folder: GPU", 1, "folder: expected keys and values, found text ('GPU')", ""),
        ("folder: {uid: 'GPU boards'}", 1, "is not a uid", "letters"),
        ("folder: {uid: " + "x" * 41 + "}", 1, "is not a uid", "40"),
        ("folder: {title: ' '}", 1, "is not a name", ""),
        ("datasources: {loki: {uid: prometheus}}", 1, "the same uid 'prometheus'", "own"),
        ("datasources: {loki: {url: 'loki:3100'}}", 1, "is not a URL", "http://"),
        ("datasources: {loki: {url: 'http://a:99999'}}", 1, "is not a URL", "http://"),
        ("provider: {path: boards}", 1, "is not an absolute path", ""),
        ("provider: {update_interval_seconds: 0}", 1, "0 is out of range", "1 to 86400"),
        ("provider: {update_interval_seconds: 1.5}", 1, "expected a whole number", ""),
        ("provider: {allow_ui_updates: 'yes'}", 1, "expected true or false", ""),
        ("thresholds: {memory_warning: 90}", 1, "90 is out of range", "0 to 1"),
        ("thresholds: {memory_warning: .nan}", 1, "expected a finite number, found nan", ""),
        ("thresholds: {temperature_warning: hot}", 1, "expected a number, found text", ""),
        ("thresholds: {temperature_warning: 75C}", 1, "expected a number, found text", "write 75, without the unit"),
        ("thresholds: {memory_warning: 90 %}", 1, "expected a number, found text", "write 0.9, a ratio"),
        ("thresholds: {memory_warning: '0.9'}", 1, "expected a number, found text", "write 0.9, without quotes"),
        ("logs: bare-metal", 1, "logs: expected keys and values", "write `logs: {preset: bare-metal}`"),
        (
            "logs: '{host=\"{node}\"}'",
            1,
            "logs: expected keys and values",
            "write `logs: {selector: '{host=\"{node}\"}'}`",
        ),
        ("thresholds: {temperature_warning: true}", 1, "expected a number", ""),
        ("x: 1\nthresholds: {temperature_warning: 85}", 1, "unknown key 'x'", ""),
        ("thresholds:\n  temperature_warning: 85", 2, "(85) is not below temperature_critical (85)", "both"),
        ("refresh: 30", 1, "expected text", "quotes"),
        ("refresh: fast", 1, "is not an interval", "30s"),
        ("time_from: 6h", 1, "is not a start of a time range", "now-6h"),
        ("logs: {preset: k8s}", 1, "unknown preset 'k8s'", ""),
        ("logs: {preset: kubernetes, selector: '{a=\"b\"}'}", 1, "both a preset and a selector", ""),
        ("logs: {selector: 'pod=\"{pod}\"'}", 1, "is not a stream selector", "{pod}"),
        ("logs: {selector: '{pod=\"{pods}\"}'}", 1, "{pods} is not a placeholder", "pod"),
        ("logs: {selector: '{pod={pod}}'}", 1, "no matcher at", ""),
        ("logs: {selector: '{pod!=\"{pod}\"}'}", 1, "needs a matcher with =", ""),
        ('logs: {selector: \'{a="x" b="y"}\'}', 1, "a comma is missing", ""),
    ],
)
def test_wrong_values(text: str, line: int, what: str, fix: str) -> None:
    error = refused(text)
    assert error.where == f"gpuboards.yaml:{line}"
    assert what in error.what
    assert fix in error.fix


# overrides -----------------------------------------------------------------------------------


def override(text: str, profile: str = "dcgm") -> Config:
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    return parse(f"profiles:\n  {profile}:\n{indented}", "gpuboards.yaml")


def test_a_name_replaces_all_spellings_and_keeps_the_unit() -> None:
    config = override("signals:\n  memory_used: site_fb_used_mib\n")
    (metric,) = resolve_profile(config, "dcgm").signals["memory_used"]
    assert (metric.name, metric.factor) == ("site_fb_used_mib", 1024 * 1024)


def test_an_unverified_name_becomes_a_stated_one() -> None:
    unverified = PROFILES["dcgm-4.9"].signals["memory_used"][0]
    assert not unverified.verified
    config = override("signals:\n  memory_used: DCGM_FI_DEV_FB_USED_BYTES_V2\n", "dcgm-4.9")
    (metric,) = resolve_profile(config, "dcgm-4.9").signals["memory_used"]
    assert metric.verified and metric.default and metric.factor == 1


def test_a_factor_alone_keeps_the_name() -> None:
    config = override("signals: {power: {factor: 0.001}}")
    (metric,) = resolve_profile(config, "dcgm").signals["power"]
    assert (metric.name, metric.factor) == ("DCGM_FI_DEV_POWER_USAGE", 0.001)


def test_a_list_is_best_first() -> None:
    config = override(
        "signals:\n  utilisation:\n    - a_ratio\n    - {name: b_percent, factor: 0.01, cap: 100, where: {kind: gpu}}\n"
    )
    first, second = resolve_profile(config, "dcgm").signals["utilisation"]
    assert (first.name, second.name, second.factor, second.cap) == ("a_ratio", "b_percent", 0.01, 100)
    assert second.where == (Match("kind", "=", "gpu"),)


def test_none_removes_a_signal_and_a_label() -> None:
    config = override("signals: {energy: none}\nlabels: {cluster: none}")
    profile = resolve_profile(config, "dcgm")
    assert not profile.has("energy")
    assert "cluster" not in profile.labels
    assert profile.signals.keys() == PROFILES["dcgm"].signals.keys() - {"energy"}


def test_a_label_is_spelled_differently() -> None:
    config = override(
        "labels:\n"
        "  node: kubernetes_node\n"
        "  pod:\n"
        "    - {label: workload_pod, guard: {kind: gpu}}\n"
        "    - {label: fq, pattern: '([^.]+)[.].*', selector: '{value}[.].*'}\n"
    )
    labels = resolve_profile(config, "dcgm").labels
    assert [spelling.label for spelling in labels["node"]] == ["kubernetes_node"]
    assert labels["pod"][0].guard == (Match("kind", "=", "gpu"),)
    assert labels["pod"][1].pattern == "([^.]+)[.].*"


def test_other_profiles_are_untouched() -> None:
    config = override("interval: 10\nsignals: {power: none}")
    for name in GPU_PROFILES.keys() - {"dcgm"}:
        assert resolve_profile(config, name) == PROFILES[name]


def test_no_override_is_the_catalogue() -> None:
    for name, profile in PROFILES.items():
        assert resolve_profile(Config(), name) is profile


def test_profile_with_leaves_the_catalogue_alone() -> None:
    before = dict(PROFILES["dcgm"].signals)
    config = override("signals: {power: none}")
    profile_with(PROFILES["dcgm"], config.profiles["dcgm"])
    assert PROFILES["dcgm"].signals == before


@pytest.mark.parametrize(
    ("text", "line", "what", "fix"),
    [
        ("signals: {utilization: x}", 3, "unknown key 'utilization'", "utilisation"),
        ("signals:\n  power: {nmae: x}", 4, "unknown key 'nmae'", "name"),
        ("signals:\n  power: 7", 4, "expected keys and values", ""),
        ("signals:\n  power: {}", 4, "says nothing", "none"),
        ("signals:\n  power: 'bad name'", 4, "is not a metric name", ""),
        ("signals:\n  power: {factor: 0}", 4, "factor of 0", ""),
        ("signals:\n  power: {bit: 64}", 4, "64 is not a bit", ""),
        ("signals:\n  utilisation: {factor: 2}", 4, "has 2 spellings", "name"),
        ("signals:\n  steps: {factor: 2}", 4, "has no spelling", "name"),
        ("signals:\n  power: {name: x, where: {'a-b': c}}", 4, "'a-b' is not a label name", ""),
        ("labels: {nodes: x}", 3, "unknown key 'nodes'", "node"),
        ("labels: {node: {pattern: x}}", 3, "no label named", "label"),
        ("labels: {node: 'a:b'}", 3, "is not a label name", ""),
        ("labels: {node: {label: x, pattern: '('}}", 3, "not a regular expression", ""),
        ("labels: {node: {label: x, pattern: 'y'}}", 3, "0 groups", "once"),
        ("interval: 0", 3, "0 is out of range", "seconds"),
    ],
)
def test_wrong_overrides(text: str, line: int, what: str, fix: str) -> None:
    with pytest.raises(ConfigError) as caught:
        override(text)
    assert caught.value.where == f"gpuboards.yaml:{line}"
    assert what in caught.value.what
    assert fix in caught.value.fix


def test_an_unknown_profile_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean nvidia-smi"):
        resolve_profile(Config(), "nvidia-smy")


@pytest.mark.parametrize(
    ("text", "what", "fix"),
    [
        ("signals:\n  power: {factor: .nan}", "expected a finite number, found nan", ""),
        ("signals:\n  power: {floor: .inf}", "expected a finite number, found inf", ""),
        (f"signals:\n  power: {{factor: {'9' * 400}}}", "expected a finite number", ""),
        ("signals:\n  power: {ceiling: 1e9}", "expected a number, found text ('1e9')", "write 1.0e+09"),
        ("signals:\n  device_info: none", "every board needs it", "name a metric"),
        ("labels:\n  node: {label: x, pattern: '('}", "'(' is not a regular expression of Prometheus", "RE2"),
        ("labels:\n  node: {label: x, pattern: '(?=a)(b)'}", "is not a regular expression of Prometheus", "RE2"),
        ("labels:\n  node: {label: x, pattern: 'a(b)', replacement: '$9'}", "$9, where the pattern has 1 groups", "$1"),
        ("labels:\n  node: {label: x, selector: 'x'}", "no {value} in it", "{value}:9400"),
        ("labels:\n  node: {label: x, selector: '({value}'}", "is not a regular expression of Prometheus", "RE2"),
    ],
)
def test_overrides_that_no_exporter_can_have(text: str, what: str, fix: str) -> None:
    error = refused("profiles:\n  dcgm:\n" + "".join(f"    {line}\n" for line in text.splitlines()))
    assert what in error.what and fix in error.fix
    assert error.where == "gpuboards.yaml:4"


def test_a_bit_of_a_mask() -> None:
    config = override("signals: {throttle_sw_power: {name: some_mask, bit: 3}}")
    assert resolve_profile(config, "dcgm").signals["throttle_sw_power"][0].bits == (3,)


@pytest.mark.parametrize("pattern", [r"a(?:b)(c)", r"[(](.+)", r"\\((.+)\\)", "(?P<n>.+)", "(?i:x)(.+)"])
def test_one_group_is_counted_as_prometheus_does(pattern: str) -> None:
    override(f"labels: {{node: {{label: x, pattern: '{pattern}'}}}}".replace("\\\\", "\\"))


@pytest.mark.parametrize("number", ["070", "1:20", "0b11", "0x1E", "3_0"])
def test_numbers_that_yaml_reads_as_others(number: str) -> None:
    error = refused(f"provider: {{update_interval_seconds: {number}}}")
    assert error.where == "gpuboards.yaml:1"
    assert error.fix


@pytest.mark.parametrize(("text", "value"), [("30", 30), ("+30", 30)])
def test_numbers_as_they_are_written(text: str, value: int) -> None:
    assert parse(f"provider: {{update_interval_seconds: {text}}}", "x").provider.update_interval_seconds == value


@pytest.mark.parametrize("character", ["\\r", "\\N", "\\u2028", "\\a", "\\0", "\\ud800"])
def test_titles_hold_no_character_that_nobody_sees(character: str) -> None:
    assert "is not a name" in refused(f'folder: {{title: "a{character}b"}}').what
    assert "is not an absolute path" in refused(f'provider: {{path: "/a{character}b"}}').what
    assert "is not a URL" in refused(f'datasources: {{loki: {{url: "http://a{character}b"}}}}').what


@pytest.mark.parametrize(
    ("selector", "what"),
    [
        ('{a=~"({pod}"}', "is not a regular expression"),
        ('{a="\\q{pod}"}', "is not a quoted value"),
        ('{a="\ue000{pod}"}', "a private-use character"),
    ],
)
def test_selectors_that_loki_refuses(selector: str, what: str) -> None:
    error = refused(f"logs:\n  selector: '{selector}'")
    assert what in error.what and error.where == "gpuboards.yaml:2"


def test_the_root_folder_is_grafanas_own() -> None:
    assert "Grafana's own" in refused("folder: {uid: general}").what


def test_long_values_are_cut_in_messages() -> None:
    for text in (f"profile: {'x' * 100_000}", f"refresh: {'9' * 5000}", f"folder: {{uid: {'a' * 5000}}}"):
        assert len(str(refused(text))) < 600
