/// OpenAPI documents about the kinds that a server serves, as kubectl and generators of clients read them.
///
/// [OpenApi] is the entrance: version 2 as JSON and as protobuf, version 3 as an index and one document per group
/// version. Pure: the same kinds give the same documents.
@NullMarked
package dev.towtank.model.openapi;

import org.jspecify.annotations.NullMarked;
