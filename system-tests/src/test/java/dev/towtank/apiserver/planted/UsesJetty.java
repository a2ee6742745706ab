package dev.towtank.apiserver.planted;

import org.eclipse.jetty.server.Server;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesJetty(Server used) {}
