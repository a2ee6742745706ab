package dev.towtank.apiserver.admission.extension;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.auth.Authorizer;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.cel.Activation;
import dev.towtank.model.cel.Authority;
import dev.towtank.model.kinds.admissionregistration.AdmissionScopes;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/// Makes requests visible to expressions.
public final class Activations {

    private final Surroundings around;
    private final Authorizer authorizer;

    public Activations(Surroundings around, Authorizer authorizer) {
        this.around = around;
        this.authorizer = authorizer;
    }

    /// @param form in which the request is meant
    /// @param params of a policy, or null
    /// @param namespace what expressions may know of the request's namespace, or null
    public Activation of(Subject subject, Form form, Json.@Nullable Obj params, Json.@Nullable Obj namespace) {
        var values = new HashMap<String, Json>();
        values.put(AdmissionScopes.OBJECT, shown(subject, subject.object(), form));
        values.put(AdmissionScopes.OLD_OBJECT, shown(subject, subject.old(), form));
        values.put(AdmissionScopes.REQUEST, subject.request(form));
        values.put(AdmissionScopes.PARAMS, params == null ? Json.Null.NULL : params);
        values.put(AdmissionScopes.NAMESPACE, namespace == null ? Json.Null.NULL : namespace);
        var requested = new Authority.Resource(
                subject.form().group(),
                subject.form().resource(),
                subject.subresource(),
                subject.namespace(),
                subject.name());
        return new Activation(values)
                .withAuthorizer(new Rights(authorizer, subject.user(), subject.cluster()), requested);
    }

    private Json shown(Subject subject, Json.@Nullable Obj object, Form form) {
        return object == null ? Json.Null.NULL : around.convert(subject, object, form);
    }

    private record Rights(Authorizer authorizer, User user, LogicalCluster cluster) implements Authority {

        @Override
        public Decision onResource(String verb, Resource resource) {
            var target = new Target(
                    resource.group(),
                    "*",
                    resource.resource(),
                    resource.namespace(),
                    resource.name(),
                    resource.subresource());
            return decided(authorizer.decide(new Authorizer.OnResource(user, cluster, verb, target)));
        }

        @Override
        public Decision onPath(String verb, String path) {
            return decided(authorizer.decide(new Authorizer.OnPath(user, cluster, verb, path)));
        }

        private static Decision decided(Authorizer.Decision decision) {
            return new Decision(decision.allowed(), decision.reason(), "");
        }

        @Override
        public Authority serviceAccount(String namespace, String name) {
            var account = User.of(
                    "system:serviceaccount:" + namespace + ":" + name,
                    "system:serviceaccounts",
                    "system:serviceaccounts:" + namespace,
                    User.ALL_AUTHENTICATED);
            return new Rights(authorizer, account, cluster);
        }
    }
}
