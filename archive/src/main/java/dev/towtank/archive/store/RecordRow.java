package dev.towtank.archive.store;

/// A Record: one object, as JSON text.
///
/// @param digest of what the object says, without what changes by archiving it; empty where nobody asks
public record RecordRow(
        String parent,
        String resultId,
        String resultName,
        String id,
        String name,
        String type,
        String data,
        String digest,
        long created,
        long updated,
        String etag) {

    public String fullName() {
        return parent + "/results/" + resultName + "/records/" + name;
    }

    public RecordRow with(String newType, String newData, long moment) {
        return new RecordRow(
                parent,
                resultId,
                resultName,
                id,
                name,
                newType,
                newData,
                "",
                created,
                moment,
                ResultRow.etag(id, moment));
    }
}
