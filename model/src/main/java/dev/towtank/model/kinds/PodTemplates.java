package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Path;
import java.util.List;

/// Pod templates, as the workload kinds carry them.
public final class PodTemplates {

    private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    private PodTemplates() {}

    public static Json.Obj defaults(Json.Obj template) {
        return Fill.always(template, "spec", PodSpecs::defaults);
    }

    /// Metadata and spec of a template; the rules that tie a template to its owner (selector, restartPolicy) are the
    /// owner's.
    public static void validate(Field template) {
        // Upstream reports these without the `metadata` on the way.
        ObjectMetas.validateLabels(
                template.at("metadata", "labels").reportedAt(template.path().child("labels")));
        ObjectMetas.validateAnnotations(template.at("metadata", "annotations")
                .reportedAt(template.path().child("annotations")));
        validateDeletionCost(template.at("metadata", "annotations")
                .reportedAt(template.path().child("annotations")));
        PodSpecs.validateTemplate(template.at("spec"));
    }

    /// Which pods go first when there are too many: a number that fits 32 bits.
    public static void validateDeletionCost(Field annotations) {
        var cost = annotations.at(DELETION_COST);
        if (cost.isPresent() && !isInt(cost.text())) {
            cost.reportedAt(annotations.path().key(DELETION_COST)).invalid("must be a 32bit integer");
        }
    }

    private static boolean isInt(String text) {
        try {
            Integer.parseInt(text);
            // Other spellings of the same number would compare differently as text.
            return !text.startsWith("+") && (!text.startsWith("0") || text.equals("0"));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /// Advice about a template at a path, such as `spec.template`.
    public static List<String> warnings(Path path, Json.Obj template) {
        return PodWarnings.of(path, template);
    }
}
