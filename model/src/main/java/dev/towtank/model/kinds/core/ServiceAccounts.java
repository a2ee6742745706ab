package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Fill;
import java.util.List;

/// ServiceAccounts: who a pod is.
public final class ServiceAccounts {

    private static final String ENFORCE_MOUNTABLE = "kubernetes.io/enforce-mountable-secrets";

    public static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "ServiceAccount", "serviceaccounts")
            .withShortNames("sa")
            .withRules(new ServiceAccountRules())
            .withColumns(Column.ofName(), Column.ofAge());

    private ServiceAccounts() {}

    private static final class ServiceAccountRules implements Rules {

        @Override
        public Json.Obj prepareCreate(Json.Obj object) {
            return namesOnly(object);
        }

        @Override
        public Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
            return namesOnly(object);
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return object.object("metadata", "annotations").has(ENFORCE_MOUNTABLE)
                    ? List.of("metadata.annotations[" + ENFORCE_MOUNTABLE + "]: deprecated in v1.32+; prefer separate"
                            + " namespaces to isolate access to mounted secrets")
                    : List.of();
        }

        private static Json.Obj namesOnly(Json.Obj object) {
            return Fill.each(object, "secrets", secret -> Json.Obj.of("name", Json.of(secret.string("name"))));
        }

        @Override
        public boolean returnsDeletedObject() {
            return true;
        }
    }
}
