package dev.towtank.model.kinds.rbac;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.WorkloadColumns;

public final class Roles {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("rbac.authorization.k8s.io", "v1", "Role", "roles")
            .withRules(new RoleRules())
            .withColumns(Column.ofName(), WorkloadColumns.createdAt());

    private Roles() {}

    private static final class RoleRules implements Rules {

        @Override
        public Names.Rule nameRule() {
            return Names.Rule.PATH_SEGMENT;
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            Field.root(object, errors).at("rules").each(rule -> PolicyRules.validate(rule, true));
        }

        @Override
        public boolean allowsCreateOnUpdate() {
            return true;
        }
    }
}
