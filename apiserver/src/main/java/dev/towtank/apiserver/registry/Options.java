package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Call;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import java.util.List;

/// The options every write understands, checked in the words of Kubernetes.
final class Options {

    private static final int MAX_FIELD_MANAGER = 128;
    private static final List<String> ALL = List.of("All");

    private Options() {}

    /// What an apply needs beside that, and no other patch may have.
    static void checkApply(Call call, boolean apply) {
        var errors = new FieldError.Collector();
        if (apply && call.params().text("fieldManager").isEmpty()) {
            errors.required(Path.of("fieldManager"), "is required for apply patch");
        }
        if (!apply && call.params().has("force")) {
            errors.forbidden(Path.of("force"), "may not be specified for non-apply patch");
        }
        if (!errors.isEmpty()) {
            throw StatusError.invalid("meta.k8s.io", "PatchOptions", "", errors.errors());
        }
    }

    static void checkDryRun(List<String> values, FieldError.Collector errors) {
        if (!ALL.containsAll(values)) {
            errors.notSupported(Path.of("dryRun"), Json.Arr.ofStrings(values), ALL);
        }
    }

    /// @param type `CreateOptions`, `UpdateOptions` or `PatchOptions`, for the message
    static void check(Call call, String type) {
        var errors = new FieldError.Collector();
        checkDryRun(call.params().all("dryRun"), errors);
        var manager = call.params().text("fieldManager");
        if (manager.length() > MAX_FIELD_MANAGER) {
            errors.tooLong(Path.of("fieldManager"), MAX_FIELD_MANAGER);
        }
        for (int i = 0; i < manager.length(); i++) {
            if (Character.isISOControl(manager.charAt(i))) {
                errors.invalid(
                        Path.of("fieldManager"),
                        manager,
                        String.format("invalid character U+%04X (at position %d)", (int) manager.charAt(i), i));
                break;
            }
        }
        var validation = call.params().text("fieldValidation");
        if (!validation.isEmpty() && !List.of("Ignore", "Warn", "Strict").contains(validation)) {
            errors.notSupported(
                    Path.of("fieldValidation"), Json.of(validation), List.of("", "Ignore", "Strict", "Warn"));
        }
        if (!errors.isEmpty()) {
            throw StatusError.invalid("meta.k8s.io", type, "", errors.errors());
        }
    }
}
