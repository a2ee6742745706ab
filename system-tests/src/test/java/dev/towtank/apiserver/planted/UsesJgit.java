package dev.towtank.apiserver.planted;

import org.eclipse.jgit.lib.Repository;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesJgit(Repository used) {}
