package dev.towtank.controllers.gitops;

import dev.towtank.model.LogicalCluster;

/// Where the objects of an Application go.
///
/// @param server as projects know it
/// @param name empty where it has none
/// @param scope the project that alone may use it; empty where all may
record Destination(LogicalCluster place, String server, String name, String namespace, String scope) {}
