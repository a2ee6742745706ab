package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.rendering.SourceQuestion;
import dev.towtank.controllers.gitops.source.GitSource;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.time.Duration;
import java.util.List;

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
                GitOpsFeature.class, "crds/applications.yaml", "crds/appprojects.yaml", "crds/settings.yaml");
    }

    /// A repository may hold objects of any kind, so this is what Argo CD's own controller may do.
    @Override
    public List<Permission> permissions() {
        return Permission.read("* | * | *");
    }

    @Override
    public Running start(Place place) {
        var timers = place.timers();
        var git = new GitSource(place::directory, timers);
        var near = new Outside<>("repositories here", git, Outside.Limits.USUAL.freshFor(FRESH_HERE), timers);
        var far = new Outside<>("repositories", git, Outside.Limits.USUAL.freshFor(FRESH_ELSEWHERE), timers);
        var watch = new LiveWatch(place.cluster(), timers);
        var applications = place.caches().of(GitOpsKinds.APPLICATION);
        var kinds = new KnownKinds(place.cluster(), place.caches().of(CustomResourceDefinitions.KIND));
        var live = new LiveObjects(place.cluster(), kinds, watch, timers);
        var look = new ApplicationLook(
                place.caches().of(GitOpsKinds.PROJECT),
                place.caches().of(ConfigMaps.KIND),
                (asker, question, anew) -> ask(GitSource.isLocal(question) ? near : far, asker, question, anew),
                live);
        var everyone = Trigger.of(
                GitOpsKinds.PROJECT,
                project -> applications.list().stream()
                        .filter(each -> each.cluster().equals(project.cluster()))
                        .map(ObjectName::of)
                        .toList());
        var controller = Controller.of("gitops", GitOpsKinds.APPLICATION, look, new ApplicationReconciler())
                .wokenBy(near)
                .wokenBy(far)
                .wokenBy(watch)
                .wokenBy(everyone)
                .doing(SyncDeed.class, new SyncHands(place.cluster(), live));
        return Running.of(controller).closing(() -> {
            near.close();
            far.close();
            watch.close();
        });
    }

    private static Outside.Answer<Manifests> ask(
            Outside<SourceQuestion, Manifests> outside, ObjectName asker, SourceQuestion question, boolean anew) {
        if (anew) {
            outside.refresh(question);
        }
        return outside.ask(asker, question);
    }
}
