package dev.towtank.model.kinds.scheduling;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.WorkloadColumns;
import java.util.Map;

public final class PriorityClasses {

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses")
            .withShortNames("pc")
            .withRules(new PriorityClassRules())
            .withColumns(
                    Column.ofName(),
                    WorkloadColumns.number("Value", "value"),
                    Column.of("Global-Default", "boolean", (object, _) -> Json.of(object.flag("globalDefault"))),
                    Column.ofAge(),
                    Column.path("PreemptionPolicy", "preemptionPolicy"));

    private static final long HIGHEST_OF_USERS = 1_000_000_000;
    private static final String SYSTEM_PREFIX = "system-";
    private static final Map<String, Long> SYSTEM_VALUES =
            Map.of("system-node-critical", 2_000_001_000L, "system-cluster-critical", 2_000_000_000L);

    private PriorityClasses() {}

    private static final class PriorityClassRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.missing(object, "preemptionPolicy", "PreemptLowerPriority");
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var root = Field.root(object, errors);
            if (root.at("metadata", "name").text().startsWith(SYSTEM_PREFIX)) {
                validateSystemClass(root);
            } else if (root.at("value").number() > HIGHEST_OF_USERS) {
                root.at("value").forbidden("maximum allowed value of a user defined priority is " + HIGHEST_OF_USERS);
            }
            root.at("preemptionPolicy").requiredOneOf("PreemptLowerPriority", "Never");
        }

        private static void validateSystemClass(Field root) {
            var name = root.at("metadata", "name");
            var value = SYSTEM_VALUES.get(name.text());
            var problem = "";
            if (value == null) {
                problem = name.text() + " is not a known system priority class";
            } else if (value != root.at("value").number()) {
                problem = "value of " + name.text() + " PriorityClass must be " + value;
            } else if (root.at("globalDefault").flag()) {
                problem = "globalDefault of " + name.text() + " PriorityClass must be false";
            }
            if (!problem.isEmpty()) {
                name.forbidden("priority class names with '" + SYSTEM_PREFIX
                        + "' prefix are reserved for system use only. error: " + problem);
            }
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var root = Field.root(object, errors);
            if (root.at("value").number() != old.integer("value")) {
                root.at("value").forbidden("may not be changed in an update.");
            }
            root.at("preemptionPolicy").immutable(old.get("preemptionPolicy"));
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }
    }
}
