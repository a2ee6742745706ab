package dev.towtank.model.kinds.rbac;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.LabelSelectors;
import dev.towtank.model.kinds.TemplateSelectors;
import dev.towtank.model.kinds.WorkloadColumns;

public final class ClusterRoles {

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles")
            .withRules(new ClusterRoleRules())
            .withColumns(Column.ofName(), WorkloadColumns.createdAt());

    private ClusterRoles() {}

    private static final class ClusterRoleRules implements Rules {

        @Override
        public Names.Rule nameRule() {
            return Names.Rule.PATH_SEGMENT;
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var root = Field.root(object, errors);
            root.at("rules").each(rule -> PolicyRules.validate(rule, false));
            if (root.has("aggregationRule")) {
                var selectors = root.at("aggregationRule", "clusterRoleSelectors");
                selectors.required("at least one clusterRoleSelector required if aggregationRule is non-nil");
                selectors.each(ClusterRoleRules::validateSelector);
            }
        }

        private static void validateSelector(Field selector) {
            LabelSelectors.validate(selector);
            if (TemplateSelectors.read(selector).isEmpty()) {
                selector.with(Json.Null.NULL).invalid("invalid label selector.");
            }
        }

        @Override
        public boolean allowsCreateOnUpdate() {
            return true;
        }
    }
}
