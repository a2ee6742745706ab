package dev.towtank.model.apply;

import dev.towtank.model.apply.Owners.Owner;

/// Who writes an object, and how.
///
/// @param name the field manager; empty where nobody said
/// @param apiVersion that the object is written in
/// @param subresource `status`, `scale`, or empty
public record Writer(String name, String apiVersion, String subresource) {

    public Writer {
        name = name.isEmpty() ? "unknown" : name;
    }

    Owner updater() {
        return new Owner(name, false, apiVersion, subresource);
    }

    Owner applier() {
        return new Owner(name, true, "", subresource);
    }

    Writer named(String other) {
        return new Writer(other, apiVersion, subresource);
    }
}
