package dev.towtank.archive.api;

import dev.towtank.archive.ArchiveRefusal;
import java.util.List;
import java.util.regex.Pattern;

/// Names as callers write them: `parent/results/name`, `parent/results/name/records/name`.
///
/// @param parent a namespace, or `-` for all of them
/// @param name of the record or log; empty in the name of a result
record RecordName(String parent, String result, String name) {

    /// For all, where a list is asked for.
    static final String ANY = "-";

    private static final String PART = "[a-z0-9_-]{1,63}";
    private static final Pattern PART_PATTERN = Pattern.compile(PART);

    static RecordName result(String parent, String result) {
        check("(^" + PART + ")/results/(" + PART + "$)", parent, result);
        return new RecordName(parent, result, "");
    }

    /// @param collection records or logs
    static RecordName item(String parent, String result, String collection, String name) {
        check("(^" + PART + ")/results/(" + PART + ")/" + collection + "/(" + PART + "$)", parent, result, name);
        return new RecordName(parent, result, name);
    }

    private static void check(String form, String... parts) {
        if (!List.of(parts).stream().allMatch(part -> PART_PATTERN.matcher(part).matches())) {
            throw ArchiveRefusal.invalid("name must match " + form);
        }
    }

    String resultName() {
        return parent + "/results/" + result;
    }

    String recordName() {
        return resultName() + "/records/" + name;
    }
}
