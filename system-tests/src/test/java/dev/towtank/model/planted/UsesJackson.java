package dev.towtank.model.planted;

import com.fasterxml.jackson.core.JsonFactory;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesJackson(JsonFactory used) {}
