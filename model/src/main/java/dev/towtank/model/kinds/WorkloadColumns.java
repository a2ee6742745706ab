package dev.towtank.model.kinds;

import dev.towtank.model.Column;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.StatusError;
import java.util.stream.Collectors;

/// Columns that the workload kinds have in common.
public final class WorkloadColumns {

    private WorkloadColumns() {}

    /// A number that a controller or a user wrote; 0 where it is absent.
    public static Column number(String name, String... path) {
        return Column.of(name, "integer", (object, _) -> Json.of(object.integer(path)));
    }

    /// The moment of creation as it is stored, which kinds without columns of their own show instead of an age.
    public static Column createdAt() {
        return Column.of("Created At", "date", (object, _) -> Json.of(object.string("metadata", "creationTimestamp")));
    }

    /// Ready of desired replicas.
    public static Column ready() {
        return Column.text(
                        "Ready",
                        (object, _) -> Json.of(
                                object.integer("status", "readyReplicas") + "/" + object.integer("spec", "replicas")))
                .describedAs("Number of the pod with ready state");
    }

    public static Column containers(String... podSpec) {
        return containerCells("Containers", "name", podSpec).describedAs("Names of each container in the template.");
    }

    public static Column images(String... podSpec) {
        return containerCells("Images", "image", podSpec)
                .describedAs("Images referenced by each container in the template.");
    }

    private static Column containerCells(String name, String field, String... podSpec) {
        return Column.text(
                        name,
                        (object, _) -> Json.of(object.object(podSpec).objects("containers").stream()
                                .map(container -> container.string(field))
                                .collect(Collectors.joining(","))))
                .wide();
    }

    /// @param path where the selector stands
    public static Column selector(String... path) {
        return Column.text("Selector", (object, _) -> Json.of(selectorText(object, path)))
                .wide();
    }

    public static String selectorText(Json.Obj object, String... path) {
        try {
            var text = LabelSelector.of(object.object(path)).toString();
            return text.isEmpty() ? "<none>" : text;
        } catch (StatusError e) {
            return "<error>";
        }
    }
}
