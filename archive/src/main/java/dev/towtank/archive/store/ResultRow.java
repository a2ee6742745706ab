package dev.towtank.archive.store;

import dev.towtank.model.Json;
import java.util.Optional;

/// A Result: what belongs together, with a summary of the record that is the reason for it.
///
/// @param created and the other times: microseconds since 1970
public record ResultRow(
        String parent,
        String id,
        String name,
        Json.Obj annotations,
        long created,
        long updated,
        Optional<Summary> summary,
        String etag) {

    /// @param status 0 unknown, 1 success, 2 failure, 3 timeout, 4 cancelled
    public record Summary(
            String record, String type, Optional<Long> start, Optional<Long> end, int status, Json.Obj annotations) {}

    public ResultRow at(long moment) {
        return new ResultRow(parent, id, name, annotations, created, moment, summary, etag(id, moment));
    }

    static String etag(String id, long micros) {
        return id + "-" + micros * 1000;
    }
}
