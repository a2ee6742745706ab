package dev.towtank.controllers.testclusters.templates;

import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.controllers.testclusters.api.ProviderKind;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.helm.ChartValues;
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

    /// On a ClusterTemplate: makes clusters at once, without an ApplicationSet.
    static final String PROVIDER = ProviderKind.ANNOTATION;

    /// On a ClusterTemplate: how long the making of an instance may take that does not say it itself.
    static final String DEADLINE = "towtank.dev/provision-timeout";

    /// As long as those wait who ask for clusters elsewhere.
    static final Duration USUAL_TIMEOUT = Duration.ofMinutes(30);

    private static final String TIMEOUT = "timeout";

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

    String logName() {
        return object.name() + "-provision-log";
    }

    /// @param setup of the day-2 set that they are for; empty for those of the cluster itself
    List<Json.Obj> parameters(String setup) {
        return object.spec().objects("parameters").stream()
                .filter(each -> each.string("clusterSetup").equals(setup))
                .map(each -> Json.Obj.of("name", Json.of(each.string("name")), "value", Json.of(each.string("value"))))
                .toList();
    }

    /// It is a deadline here, and also a value of charts that know it.
    boolean isForChart(String parameter, Optional<ChartValues> chart) {
        return !parameter.equals(TIMEOUT)
                || chart.filter(each -> each.knows(TIMEOUT)).isPresent();
    }

    /// How long the making may take: as the instance says, or its template.
    Duration timeout(Optional<Resource> template) {
        return ownTimeout()
                .or(() -> template.flatMap(each -> duration(each.annotations().getOrDefault(DEADLINE, ""))))
                .orElse(USUAL_TIMEOUT);
    }

    private Optional<Duration> ownTimeout() {
        return parameters("").stream()
                .filter(each -> each.string("name").equals(TIMEOUT))
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
