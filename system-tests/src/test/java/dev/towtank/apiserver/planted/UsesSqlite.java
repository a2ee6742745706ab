package dev.towtank.apiserver.planted;

import org.sqlite.SQLiteConfig;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesSqlite(SQLiteConfig used) {}
