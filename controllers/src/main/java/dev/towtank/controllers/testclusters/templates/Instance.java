package dev.towtank.controllers.testclusters.templates;

import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A ClusterTemplateInstance, read.
record Instance(Resource object) {

    static final String FINALIZER = "clustertemplateinstance.openshift.io/finalizer";
    static final String REQUESTER = "clustertemplates.openshift.io/requester";
    static final String NAME = "clustertemplateinstance.openshift.io/name";
    static final String NAMESPACE = "clustertemplateinstance.openshift.io/namespace";
    static final String SETUP = "clustertemplate.openshift.io/cluster-setup";

    /// On a ClusterTemplate: `logical` makes clusters at once, without an ApplicationSet.
    static final String PROVIDER = "towtank.dev/provider";

    /// Where clusters are made that no chart makes.
    static final String CLUSTERS = "towtank-clusters";

    String template() {
        return object.spec().string("clusterTemplateRef");
    }

    boolean hasOwnCluster() {
        return object.spec().string("kubeconfigSecretRef").isEmpty();
    }

    String kubeconfigSecret() {
        return object.name() + "-admin-kubeconfig";
    }

    String passwordSecret() {
        return object.name() + "-admin-password";
    }

    /// @param setup of the day-2 set that they are for; empty for those of the cluster itself
    List<Json.Obj> parameters(String setup) {
        return object.spec().objects("parameters").stream()
                .filter(each -> each.string("clusterSetup").equals(setup))
                .map(each -> Json.Obj.of("name", Json.of(each.string("name")), "value", Json.of(each.string("value"))))
                .toList();
    }

    /// How long the making may take, where the instance says so.
    Optional<Duration> timeout() {
        return parameters("").stream()
                .filter(each -> each.string("name").equals("timeout"))
                .map(each -> each.string("value"))
                .flatMap(text -> duration(text).stream())
                .findFirst();
    }

    static Optional<Duration> duration(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Durations.parse(text));
        } catch (Durations.Malformed e) {
            return Optional.empty();
        }
    }

    Json.Obj labels(String setup) {
        var labels = Json.Obj.ofStrings(Map.of(NAME, object.name(), NAMESPACE, object.namespace()));
        return setup.isEmpty() ? labels : labels.with(SETUP, Json.of(setup));
    }

    /// Of the Application that makes the cluster, or of one that sets it up.
    String application(String setup) {
        return setup.isEmpty() ? object.uid() : object.uid() + "-" + setup;
    }

    Json.Obj owned(String name) {
        return Objects.owned(Objects.named(object.namespace(), name), object);
    }
}
