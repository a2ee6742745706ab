package dev.towtank.apiserver.planted;

import java.sql.Connection;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesJdbc(Connection used) {}
