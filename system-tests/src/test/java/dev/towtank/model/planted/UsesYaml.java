package dev.towtank.model.planted;

import org.yaml.snakeyaml.Yaml;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesYaml(Yaml used) {}
