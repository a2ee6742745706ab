package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.PodTemplates;
import dev.towtank.model.kinds.WorkloadColumns;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Pod templates as objects of their own, which other workloads are made from by hand.
public final class PodTemplateObjects {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "PodTemplate", "podtemplates")
            .withRules(new PodTemplateRules())
            .withColumns(
                    Column.ofName(),
                    WorkloadColumns.containers("template", "spec").always(),
                    WorkloadColumns.images("template", "spec").always(),
                    Column.text("Pod Labels", (object, _) -> Json.of(labels(object)))
                            .describedAs("The labels for the pod template."));

    private PodTemplateObjects() {}

    private static String labels(Json.Obj object) {
        var labels = new TreeMap<>(object.stringMap("template", "metadata", "labels"));
        return labels.isEmpty()
                ? "<none>"
                : labels.entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(","));
    }

    private static final class PodTemplateRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.always(object, "template", PodTemplates::defaults);
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            PodTemplates.validate(Field.root(object, errors).at("template"));
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return PodTemplates.warnings(Path.of("template"), object.object("template"));
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }

        @Override
        public boolean returnsDeletedObject() {
            return true;
        }
    }
}
