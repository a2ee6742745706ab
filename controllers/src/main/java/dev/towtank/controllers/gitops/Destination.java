package dev.towtank.controllers.gitops;

import dev.towtank.model.LogicalCluster;

/// Where the objects of an Application go.
///
/// @param server as projects know it
/// @param name empty where it has none
record Destination(LogicalCluster place, String server, String name, String namespace) {}
