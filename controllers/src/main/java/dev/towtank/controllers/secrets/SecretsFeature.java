package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.controllers.secrets.reading.RemoteServer;
import dev.towtank.controllers.secrets.source.AnyObjects;
import dev.towtank.controllers.secrets.source.KeptKey;
import dev.towtank.controllers.secrets.source.Rights;
import dev.towtank.controllers.secrets.source.Web;
import dev.towtank.model.Json;
import dev.towtank.model.crd.KindBehaviour;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// External Secrets: Secrets that follow what a store holds.
public final class SecretsFeature implements Feature {

    // As long as External Secrets waits; answers are good for one refresh, and forgotten soon after.
    private static final Outside.Limits OVER_NETWORKS = new Outside.Limits(
            Duration.ofMinutes(10), 16, 10_000, new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(7)));

    // Objects of kinds that only a store knows are looked at again so often, which costs a look into memory.
    private static final Duration OBJECTS_FRESH = Duration.ofSeconds(1);

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
                "crds/clusterexternalsecrets.yaml",
                "crds/pushsecrets.yaml",
                "crds/generators.yaml",
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
                read | core | configmaps namespaces serviceaccounts services
                create | core | serviceaccounts/token
                read | core | pods
                read | apps | replicasets
                read patch | apps | deployments statefulsets daemonsets
                read | apiextensions.k8s.io | customresourcedefinitions
                read | rbac.authorization.k8s.io | roles rolebindings clusterroles clusterrolebindings
                create | authorization.k8s.io | subjectaccessreviews
                create | authentication.k8s.io | tokenreviews
                read update patch | external-secrets.io | *
                create delete | external-secrets.io | externalsecrets
                read | generators.external-secrets.io | *
                """);
    }

    @Override
    public Running start(Place place) {
        var web = new Web(place.cluster(), place.timers());
        var objects = new AnyObjects(web, place.cluster(), place.ground().address());
        var abroad = new Abroad(
                new Outside<>("secrets-web", question -> web.send(question.call()), OVER_NETWORKS, place.timers()),
                new Outside<>(
                        "secrets-objects",
                        question -> objects.find(question.account(), question.kind(), question.name()),
                        Outside.Limits.USUAL.freshFor(OBJECTS_FRESH),
                        place.timers()),
                place.timers());
        var chance = new Chance(KeptKey.in(place));
        var controllers = new SecretControllers(
                place.caches(), Rights.of(place.cluster()), abroad, chance, deed -> sent(web, deed));
        controllers.measure(place.meters());
        return Running.of(controllers.all())
                .closing(web::close)
                .closing(abroad.web()::close)
                .closing(abroad.objects()::close);
    }

    private static Json sent(Web web, PushPlan.Send deed) throws IOException, InterruptedException {
        var answer = web.send(deed.call());
        if (!answer.isGood() && answer.status() != deed.isFine()) {
            throw new IOException(
                    "set secret failed: " + RemoteServer.refusal(answer).text());
        }
        return Json.Null.NULL;
    }
}
