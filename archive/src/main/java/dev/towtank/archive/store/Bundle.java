package dev.towtank.archive.store;

import dev.towtank.model.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/// What is archived together, in one transaction: a run, its children, what was told about them, and their logs.
///
/// @param parent the namespace
/// @param name of the Result
/// @param summary where the run is the reason for the Result; a child on its own has none
public record Bundle(
        String parent,
        String name,
        Json.Obj annotations,
        Optional<ResultRow.Summary> summary,
        List<Item> items,
        List<Log> logs) {

    public Bundle {
        items = List.copyOf(items);
        logs = List.copyOf(logs);
    }

    /// @param name of the record
    /// @param digest of what the object says; the same digest means that there is nothing to write
    public record Item(String name, String type, Json.Obj data, String digest) {}

    /// The log of a run. Its record is written too, with the size that the log turns out to have.
    ///
    /// @param about a `results.tekton.dev/v1alpha3.Log` without its status
    public record Log(String name, Json.Obj about, List<Part> parts) {
        public Log {
            parts = List.copyOf(parts);
        }
    }

    /// The log of one step.
    ///
    /// @param task the name of the task in its pipeline
    /// @param content which text it is: two logs that share a part share its content
    public record Part(String task, String step, String content, Source source) {}

    /// Where a log comes from.
    @FunctionalInterface
    public interface Source {

        /// Empty when there is no log any more, or never was.
        Optional<InputStream> open() throws IOException;

        /// Whether its oldest lines are gone, as nodes keep logs up to a size.
        default boolean lacksBeginning() throws IOException {
            return false;
        }
    }
}
