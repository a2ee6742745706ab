package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.git.source.GitRepositories;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.api.RepositoryLogins;
import dev.towtank.controllers.gitops.rendering.RevisionQuestion;
import dev.towtank.controllers.gitops.sets.SetLook;
import dev.towtank.controllers.gitops.sets.SetReconciler;
import dev.towtank.controllers.gitops.source.LastWords;
import dev.towtank.controllers.gitops.source.ListingReader;
import dev.towtank.controllers.gitops.source.RemoteClusters;
import dev.towtank.controllers.gitops.source.RoutedCluster;
import dev.towtank.controllers.gitops.source.SourceReader;
import dev.towtank.controllers.rendering.source.ChartStore;
import dev.towtank.controllers.rendering.source.Login;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.storage.StorageClasses;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// GitOps with Argo CD's Applications and AppProjects.
public final class GitOpsFeature implements Feature {

    // A look at a repository on this machine costs a few file reads; others are asked as often as Argo CD does.
    private static final Duration FRESH_HERE = Duration.ofMillis(500);
    private static final Duration FRESH_ELSEWHERE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "gitops";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(
                GitOpsFeature.class,
                "crds/applications.yaml",
                "crds/applicationsets.yaml",
                "crds/appprojects.yaml",
                "crds/argocds.yaml",
                "crds/settings.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return List.of(new InstanceBehaviour());
    }

    /// A repository may hold objects of any kind, and roles with any right, so this is what Argo CD's own
    /// controller may do with objects. It cannot act as somebody else. What an application may do with it is up to
    /// its project, which is asked before anything is applied.
    @Override
    public List<Permission> permissions() {
        return Permission.read("read write escalate bind | * | *");
    }

    @Override
    public Running start(Place place) {
        var timers = place.timers();
        var secrets = place.caches().of(Secrets.KIND);
        var logins = new RepositoryLogins(secrets, place.caches().of(ConfigMaps.KIND));
        var git = new GitRepositories(timers, logins::find, logins::authorities);
        var reader = new SourceReader(git, charts(place, logins), logins::authorities, timers);
        var applications = place.caches().of(GitOpsKinds.APPLICATION);
        var news = new CommitNews(
                applications::get, (repository, before, after) -> changed(git, repository, before, after));
        // Applications and sets are asked apart: an answer wakes the objects of one kind.
        var near = revisions(question -> noted(news, question, reader.revision(question)), FRESH_HERE, timers);
        var far = revisions(question -> noted(news, question, reader.revision(question)), FRESH_ELSEWHERE, timers);
        var nearForSets = revisions(reader::revision, FRESH_HERE, timers);
        var farForSets = revisions(reader::revision, FRESH_ELSEWHERE, timers);
        var manifests = new Outside<>("manifests", reader, Outside.Limits.USUAL, timers);
        List.of(near, far, manifests).forEach(news::follow);
        var remotes = new RemoteClusters(timers);
        var clusters = new RoutedCluster(place.cluster(), remotes);
        var watch = new LiveWatch(place.follower(), remotes);
        var kinds = new KnownKinds(clusters, place.caches().of(CustomResourceDefinitions.KIND)::list);
        var live = new LiveObjects(
                clusters,
                kinds,
                new Watchers(watch, new LastWords(place.pods(), place.caches().of(Pods.KIND))),
                timers);
        watch.onGone(live::forget);
        var destinations = new Destinations(
                cluster -> secrets.in(cluster, GitOpsKinds.NAMESPACE), () -> address(place), remotes::place);
        var world = new ApplicationLook.World(
                place.caches().of(GitOpsKinds.PROJECT),
                place.caches().of(ConfigMaps.KIND),
                place.caches().of(GitOpsKinds.INSTANCE),
                place.caches().of(StorageClasses.KIND),
                place.caches().of(Pods.KIND));
        var sources = new SourceAnswers.Sources(
                (asker, question, anew) -> ask(question.isLocal() ? near : far, asker, question, anew), manifests);
        var look = new ApplicationLook(world, sources, destinations, live, clusters);
        var controller = Controller.of("gitops", GitOpsKinds.APPLICATION, look, new ApplicationReconciler())
                .wokenBy(news.first())
                .wokenBy(news.others())
                .wokenBy(watch)
                .wokenBy(everyone(GitOpsKinds.PROJECT, applications, _ -> true))
                .wokenBy(everyone(GitOpsKinds.INSTANCE, applications, _ -> true))
                .wokenBy(everyone(
                        ConfigMaps.KIND, applications, map -> map.name().equals("argocd-cm")))
                .wokenBy(everyone(Secrets.KIND, applications, Destinations::isCluster))
                .doing(SyncDeed.class, new SyncHands(clusters, destinations, live));
        var listings = new Outside<>("listings", new ListingReader(git), Outside.Limits.USUAL, timers);
        var setLook = new SetLook(
                applications,
                new SetLook.Outsides(
                        (asker, question, anew) ->
                                ask(question.isLocal() ? nearForSets : farForSets, asker, question, anew),
                        listings),
                destinations::parameters,
                timers);
        var sets = place.caches().of(GitOpsKinds.APPLICATION_SET);
        var setController = Controller.of("applicationsets", GitOpsKinds.APPLICATION_SET, setLook, new SetReconciler())
                .wokenBy(nearForSets)
                .wokenBy(farForSets)
                .wokenBy(listings)
                .wokenBy(Trigger.owned(GitOpsKinds.APPLICATION, GitOpsKinds.APPLICATION_SET))
                .wokenBy(everyone(Secrets.KIND, sets, Destinations::isCluster));
        return Running.of(controller, setController).closing(() -> {
            List.of(near, far, nearForSets, farForSets, manifests, listings).forEach(Outside::close);
            remotes.close();
        });
    }

    private record Watchers(LiveWatch watch, LastWords last) implements LiveObjects.Company {
        @Override
        public void meet(LogicalCluster where, Kind<?> kind) {
            watch.follow(where, kind);
        }

        @Override
        public String lastWords(LogicalCluster place, Json.Obj object) {
            return last.of(place, object, "Failed");
        }

        @Override
        public String wordsSoFar(LogicalCluster place, Json.Obj object) {
            return last.of(place, object, "Running");
        }
    }

    private static Outside<RevisionQuestion, String> revisions(
            Outside.Reader<RevisionQuestion, String> reader, Duration fresh, Timers timers) {
        return new Outside<>("revisions", reader, Outside.Limits.USUAL.freshFor(fresh), timers);
    }

    private static String noted(CommitNews news, RevisionQuestion question, String commit) {
        news.noted(question, commit);
        return commit;
    }

    private static Optional<NavigableSet<String>> changed(
            GitRepositories git, String repository, String before, String after) {
        try {
            return git.changed(repository, before, after);
        } catch (IOException e) {
            return Optional.empty(); // whoever reads it is told why
        }
    }

    private static Supplier<ChartStore> charts(Place place, RepositoryLogins logins) {
        return () -> new ChartStore(
                place.directory().resolve("charts"),
                url -> logins.find(url).map(login -> new Login(login.value("username"), login.value("password"))),
                logins::authorities);
    }

    private static String address(Place place) {
        return place.ground().address().get().toString().replaceAll("/+$", "");
    }

    /// What is set for all applications of a cluster wakes all of them.
    private static Trigger everyone(Kind<?> kind, Cache applications, Predicate<Resource> counts) {
        return Trigger.of(
                kind,
                changed -> GitOpsKinds.SETTINGS_NAMESPACES.contains(changed.namespace()) && counts.test(changed)
                        ? applications.list().stream()
                                .filter(each -> each.cluster().equals(changed.cluster()))
                                .map(ObjectName::of)
                                .toList()
                        : List.of());
    }

    private static Outside.Answer<String> ask(
            Outside<RevisionQuestion, String> outside, ObjectName asker, RevisionQuestion question, boolean anew) {
        if (anew) {
            outside.refresh(question);
        }
        return outside.ask(asker, question);
    }
}
