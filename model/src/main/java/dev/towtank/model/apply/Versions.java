package dev.towtank.model.apply;

import dev.towtank.model.Json;
import java.util.Optional;
import java.util.function.Supplier;

/// The versions of a kind: an object is written in one of them, and owned in any.
public interface Versions {

    /// How the fields of a version merge; empty where the kind has no such version, or has it no more.
    Optional<Shape> shape(String apiVersion);

    /// An object in another version.
    ///
    /// @param object in one of the versions
    /// @param apiVersion another of them
    /// @throws dev.towtank.model.StatusError where it cannot be converted
    Json.Obj convert(Json.Obj object, String apiVersion);

    /// Of a kind that has a single version.
    static Versions only(String apiVersion, Supplier<Shape> shape) {
        return new Versions() {
            @Override
            public Optional<Shape> shape(String version) {
                return version.equals(apiVersion) ? Optional.of(shape.get()) : Optional.empty();
            }

            @Override
            public Json.Obj convert(Json.Obj object, String version) {
                throw new IllegalArgumentException("there is no version " + version);
            }
        };
    }
}
