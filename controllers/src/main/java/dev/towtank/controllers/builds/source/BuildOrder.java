package dev.towtank.controllers.builds.source;

import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;

/// A build that is to be done.
///
/// @param uid of the Build
/// @param spec of the Build
/// @param base the image that it stands on; empty where its Dockerfile says so
/// @param stream what it is written to
/// @param tag of the stream; empty where nothing is written
public record BuildOrder(ObjectName build, String uid, Json.Obj spec, String base, ObjectName stream, String tag) {}
