package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.controllers.secrets.source.Rights;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;

/// External Secrets: Secrets that follow what a store holds.
public final class SecretsFeature implements Feature {

    @Override
    public String name() {
        return "secrets";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(
                SecretsFeature.class,
                "crds/externalsecrets.yaml",
                "crds/secretstores.yaml",
                "crds/clustersecretstores.yaml",
                "crds/roles.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return SecretsAdmission.all();
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read create update patch delete | core | secrets
                read | core | configmaps namespaces serviceaccounts
                read | rbac.authorization.k8s.io | roles rolebindings clusterroles clusterrolebindings
                create | authorization.k8s.io | subjectaccessreviews
                create | authentication.k8s.io | tokenreviews
                read update patch | external-secrets.io | *
                create update patch | core events.k8s.io | events
                """);
    }

    @Override
    public Running start(Place place) {
        var controllers = new SecretControllers(place.caches(), Rights.of(place.cluster()));
        return Running.of(controllers.all(new Chance()));
    }
}
