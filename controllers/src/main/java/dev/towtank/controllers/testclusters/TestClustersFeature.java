package dev.towtank.controllers.testclusters;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Gate;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.git.source.GitRepositories;
import dev.towtank.controllers.gitops.api.RepositoryLogins;
import dev.towtank.controllers.rendering.source.ChartStore;
import dev.towtank.controllers.rendering.source.Login;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.ProviderKind;
import dev.towtank.controllers.testclusters.hive.HiveControllers;
import dev.towtank.controllers.testclusters.hypershift.HyperShiftControllers;
import dev.towtank.controllers.testclusters.logical.IsolationReconciler;
import dev.towtank.controllers.testclusters.logical.PowerReconciler;
import dev.towtank.controllers.testclusters.logical.WishGate;
import dev.towtank.controllers.testclusters.programs.ProgramControllers;
import dev.towtank.controllers.testclusters.source.ChartReader;
import dev.towtank.controllers.testclusters.source.ClusterPrograms;
import dev.towtank.controllers.testclusters.source.Keys;
import dev.towtank.controllers.testclusters.source.Logins;
import dev.towtank.controllers.testclusters.source.PodWords;
import dev.towtank.controllers.testclusters.spaces.ClaimedClusters;
import dev.towtank.controllers.testclusters.spaces.SpaceControllers;
import dev.towtank.controllers.testclusters.templates.ChartControllers;
import dev.towtank.controllers.testclusters.templates.GitOpsCaches;
import dev.towtank.controllers.testclusters.templates.TemplateControllers;
import dev.towtank.controllers.testclusters.templates.TemplateGate;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.kinds.LogicalClusters;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Secrets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Clusters for tests, each a range of keys of this server.
public final class TestClustersFeature implements Feature {

    // What a branch means changes; a look at it costs little.
    private static final Outside.Limits CHARTS = Outside.Limits.USUAL.freshFor(Duration.ofSeconds(30));

    // Read once, when an instance failed.
    private static final Outside.Limits JOBS = Outside.Limits.USUAL.freshFor(Duration.ofMinutes(1));

    private final Set<String> programs;

    /// @param programs that may run on this machine to make clusters: of [ProviderKind#PROGRAMS]
    public TestClustersFeature(Set<String> programs) {
        this.programs = Set.copyOf(programs);
    }

    /// @param text names with commas between them; others than those of [ProviderKind#PROGRAMS] mean nothing
    public static TestClustersFeature allowing(String text) {
        return new TestClustersFeature(Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(ProviderKind.PROGRAMS::contains)
                .collect(Collectors.toSet()));
    }

    @Override
    public String name() {
        return "testclusters";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(
                TestClustersFeature.class,
                "crds/hive.yaml",
                "crds/hypershift.yaml",
                "crds/templates.yaml",
                "crds/roles.yaml",
                "crds/spaces.yaml",
                "crds/tiers.yaml",
                "crds/openshift.yaml");
    }

    /// Clusters are made in the default cluster only: those that are handed over make none.
    @Override
    public boolean isEverywhere() {
        return false;
    }

    @Override
    public List<Gate> gates() {
        return List.of(new TemplateGate(), new WishGate());
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read create update patch delete | towtank.dev | logicalclusters logicalclusters/status
                read create update patch delete | hive.openshift.io hypershift.openshift.io clustertemplate.openshift.io | *
                read update patch delete | toolchain.dev.openshift.com eaas.konflux-ci.dev ci.openshift.org | *
                read create update patch delete | core | resourcequotas limitranges
                read create update patch delete | networking.k8s.io | networkpolicies
                read create | apiextensions.k8s.io | customresourcedefinitions
                read create | route.openshift.io config.openshift.io | routes clusterversions
                read create delete | argoproj.io | applicationsets
                read | argoproj.io | applications
                read create update patch delete | core | secrets configmaps namespaces serviceaccounts
                create | core | serviceaccounts/token
                read | core | pods
                read | batch | jobs
                read create update patch delete bind escalate | rbac.authorization.k8s.io | roles rolebindings clusterroles clusterrolebindings
                """);
    }

    @Override
    public Running start(Place place) {
        var caches = place.caches();
        var keys = new Keys(place.cluster(), place.ground());
        var gitOps = new GitOpsCaches(place.cluster(), caches);
        var reader = charts(place);
        // Templates and setups are asked apart: an answer wakes the objects of one kind.
        var charts = new Outside<>("charts", reader, CHARTS, place.timers());
        var chartsOfSetups = new Outside<>("charts-of-setups", reader, CHARTS, place.timers());
        var logins = new Outside<>("logins", new Logins(), Outside.Limits.USUAL, place.timers());
        var words = new Outside<>("logs-of-jobs", new PodWords(place.pods()), JOBS, place.timers());
        var controllers = new ArrayList<Controller<?, ?>>();
        controllers.addAll(new HiveControllers(place.cluster(), caches, keys).all());
        controllers.addAll(new HyperShiftControllers(place.cluster(), caches, keys).all());
        controllers.add(ProgramControllers.of(
                caches, programs, new ClusterPrograms(System.getenv().getOrDefault("PATH", ""))));
        controllers.addAll(new ChartControllers(caches, gitOps, charts, chartsOfSetups).all());
        controllers.addAll(new TemplateControllers(place.cluster(), caches, gitOps, logins, words).all());
        controllers.addAll(new SpaceControllers(place.cluster(), caches, keys).all());
        controllers.add(new ClaimedClusters(caches).controller());
        controllers.add(Controller.of(
                "clustertemplate-isolation", ClusterKinds.TEMPLATE, _ -> true, new IsolationReconciler()));
        controllers.add(power(caches.of(Pods.KIND)));
        return Running.of(controllers)
                .closing(() -> List.of(charts, chartsOfSetups, logins, words).forEach(Outside::close));
    }

    private static ChartReader charts(Place place) {
        var logins = new RepositoryLogins(
                place.caches().of(Secrets.KIND), place.caches().of(ConfigMaps.KIND));
        return new ChartReader(
                new GitRepositories(place.timers(), logins::find, logins::authorities),
                () -> new ChartStore(
                        place.directory().resolve("charts"),
                        url -> logins.find(url)
                                .map(login -> new Login(login.value("username"), login.value("password"))),
                        logins::authorities));
    }

    private static Controller<Json.Obj, Integer> power(Cache pods) {
        return Controller.of(
                        "logicalcluster-power",
                        ClusterKinds.LOGICAL,
                        observed ->
                                LogicalClusters.shouldSleep(observed.object().json())
                                        ? running(pods, observed.object().name())
                                        : 0,
                        new PowerReconciler())
                .wokenBy(Trigger.of(
                        Pods.KIND,
                        pod -> pod.cluster().equals(LogicalCluster.DEFAULT)
                                ? List.of()
                                : List.of(new ObjectName(
                                        LogicalCluster.DEFAULT,
                                        "",
                                        pod.cluster().id()))));
    }

    /// How many pods of a cluster have processes.
    private static int running(Cache pods, String cluster) {
        var id = new LogicalCluster(cluster);
        return (int) pods.list().stream()
                .filter(pod -> pod.cluster().equals(id)
                        && pod.status().objects("containerStatuses").stream()
                                .anyMatch(status -> status.object("state").has("running")))
                .count();
    }
}
