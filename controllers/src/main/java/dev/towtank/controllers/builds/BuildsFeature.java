package dev.towtank.controllers.builds;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Observer;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.pods.ImageShelf;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.controllers.builds.BuildFacts.Problem;
import dev.towtank.controllers.builds.ImageStreams.TagName;
import dev.towtank.controllers.builds.StreamReconciler.Aliases;
import dev.towtank.controllers.builds.StreamReconciler.StreamFacts;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.controllers.builds.source.BuildLogs;
import dev.towtank.controllers.builds.source.BuildOrder;
import dev.towtank.controllers.builds.source.BuildRequests;
import dev.towtank.controllers.builds.source.BuildResult;
import dev.towtank.controllers.builds.source.Builder;
import dev.towtank.controllers.builds.source.ShelfHands;
import dev.towtank.controllers.git.source.SshCommand;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.Secrets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Builds in the manner of OpenShift. In the default cluster only: images have names that count for the whole machine.
public final class BuildsFeature implements Feature {

    @Override
    public String name() {
        return "builds";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(BuildsFeature.class, "crds/builds.yaml", "crds/images.yaml", "crds/roles.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return SpecRules.all();
    }

    @Override
    public boolean isEverywhere() {
        return false;
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read create delete patch | build.openshift.io | builds buildconfigs
                update patch | build.openshift.io | builds/status buildconfigs/status buildconfigs/finalizers
                read write | image.openshift.io | imagestreams imagestreamtags
                update patch | image.openshift.io | imagestreams/status imagestreams/finalizers
                read | core | secrets
                get | core | configmaps
                create | authorization.k8s.io | subjectaccessreviews
                """);
    }

    /// The caches that facts are made of.
    private record World(Cache configs, Cache builds, Cache streams, Cache tags, Cache secrets) {}

    @Override
    public Running start(Place place) {
        var shelf = place.ground().shelf();
        var logs = new BuildLogs(place::directory);
        var work = new Outside<>(
                "builds",
                new Builder(place.cluster(), shelf, logs, SshCommand.of(place.ground()), place.timers()),
                Outside.Limits.USUAL,
                place.timers());
        var world = new World(
                place.caches().of(BuildKinds.CONFIG),
                place.caches().of(BuildKinds.BUILD),
                place.caches().of(BuildKinds.STREAM),
                place.caches().of(BuildKinds.TAG),
                place.caches().of(Secrets.KIND));
        var configs = Controller.of(
                        "buildconfigs", BuildKinds.CONFIG, config -> facts(config, world), new ConfigReconciler())
                .wokenBy(Trigger.owned(BuildKinds.BUILD, BuildKinds.CONFIG))
                .wokenBy(Trigger.of(BuildKinds.STREAM, _ -> names(world.configs())))
                .wokenBy(Trigger.of(Secrets.KIND, secret -> fetchingWith(world.configs(), secret)));
        var builds = Controller.of(
                        "builds", BuildKinds.BUILD, build -> facts(build, world, work), new BuildReconciler())
                .wokenBy(work)
                .wokenBy(Trigger.of(BuildKinds.BUILD, build -> siblings(world.builds(), build)))
                .wokenBy(Trigger.of(BuildKinds.STREAM, _ -> names(world.builds())));
        var streams = Controller.of(
                        "imagestreams", BuildKinds.STREAM, stream -> streamFacts(stream, world), new StreamReconciler())
                .wokenBy(Trigger.owned(BuildKinds.TAG, BuildKinds.STREAM))
                .wokenBy(Trigger.of(BuildKinds.STREAM, stream -> followers(world.streams(), stream)))
                .doing(Aliases.class, aliases -> ShelfHands.named(shelf, aliases.names()));
        var requests = new BuildRequests(
                place.cluster(),
                logs,
                (config, number) ->
                        new NewBuild(config, number, "Manually triggered", "", version(config, world)).object());
        return Running.of(configs, builds, streams)
                .observing(List.of(forgotten(BuildKinds.BUILD, build -> logs.forget(build.uid())), gone(shelf)))
                .serving(
                        endpoint(BuildRequests.INSTANTIATE, requests),
                        endpoint(BuildRequests.INSTANTIATE_BINARY, requests),
                        endpoint(BuildRequests.CLONE, requests),
                        endpoint(BuildRequests.LOG, requests))
                .closing(work::close);
    }

    private static Observer gone(ImageShelf shelf) {
        return forgotten(BuildKinds.STREAM, stream -> ShelfHands.cleared(shelf, stream.namespace(), stream.name()));
    }

    private static Observer forgotten(Kind<?> kind, java.util.function.Consumer<Resource> then) {
        return Observer.of(kind, (before, now) -> {
            if (before != null && now == null) {
                Thread.ofVirtual().start(() -> then.accept(before));
            }
        });
    }

    private static Endpoint endpoint(String path, BuildRequests requests) {
        return new Endpoint(path, Endpoint.Access.AUTHENTICATED, Endpoint.USUAL_BODY, requests::answer);
    }

    private static List<ObjectName> names(Cache cache) {
        return cache.list().stream().map(ObjectName::of).toList();
    }

    private static List<ObjectName> fetchingWith(Cache configs, Resource secret) {
        return configs.in(secret.cluster(), secret.namespace()).stream()
                .filter(config ->
                        config.spec().string("source", "sourceSecret", "name").equals(secret.name()))
                .map(ObjectName::of)
                .toList();
    }

    /// Those that may have waited for it.
    private static List<ObjectName> siblings(Cache builds, Resource build) {
        return builds.in(build.cluster(), build.namespace()).stream()
                .filter(other ->
                        config(other).equals(config(build)) && !other.name().equals(build.name()))
                .map(ObjectName::of)
                .toList();
    }

    private static String config(Resource build) {
        return build.labels().getOrDefault(NewBuild.CONFIG_LABEL, "");
    }

    private static List<ObjectName> followers(Cache streams, Resource stream) {
        return streams.list().stream()
                .filter(other -> other.spec().objects("tags").stream().anyMatch(tag -> follows(other, tag, stream)))
                .map(ObjectName::of)
                .toList();
    }

    private static boolean follows(Resource follower, Json.Obj tag, Resource leader) {
        if (!tag.string("from", "kind").equals("ImageStreamTag")) {
            return false;
        }
        var source = TagName.of(tag.object("from"), follower.namespace());
        return source.namespace().equals(leader.namespace()) && source.stream().equals(leader.name());
    }

    private static List<Resource> buildsOf(Cache builds, Resource config) {
        return builds.ownedBy(config.uid()).stream()
                .sorted(Comparator.comparingLong(NewBuild::number))
                .toList();
    }

    private static Optional<Resource> stream(World world, Resource of, TagName tag) {
        return world.streams().get(new ObjectName(of.cluster(), tag.namespace(), tag.stream()));
    }

    private static Optional<Json.Obj> image(World world, Resource of, TagName tag) {
        return stream(world, of, tag).flatMap(stream -> ImageStreams.newest(stream, tag.tag()));
    }

    private static String version(Resource config, World world) {
        var secret = config.spec().string("source", "sourceSecret", "name");
        return secret.isEmpty()
                ? ""
                : world.secrets()
                        .get(new ObjectName(config.cluster(), config.namespace(), secret))
                        .map(Resource::resourceVersion)
                        .orElse("none");
    }

    private static ConfigFacts facts(Observed<Json.Obj> observed, World world) {
        var config = observed.object();
        var images = new HashMap<String, String>();
        for (var tag : ConfigReconciler.imageTriggers(config)) {
            image(world, config, tag).ifPresent(item -> images.put(tag.namespace() + "/" + tag, item.string("image")));
        }
        return new ConfigFacts(
                buildsOf(world.builds(), config), images, version(config, world), missing(config, world));
    }

    private static Optional<String> missing(Resource of, World world) {
        var from = ConfigReconciler.from(of.spec());
        if (!from.string("kind").equals("ImageStreamTag")) {
            return Optional.empty();
        }
        var tag = TagName.of(from, of.namespace());
        return image(world, of, tag).isPresent()
                ? Optional.empty()
                : Optional.of("Referenced image could not be resolved: there is no image in the ImageStreamTag "
                        + tag.namespace() + "/" + tag);
    }

    private static BuildFacts facts(Observed<Json.Obj> observed, World world, Outside<BuildOrder, BuildResult> work) {
        var build = observed.object();
        var to = build.spec().object("output", "to");
        var tag = TagName.of(to, build.namespace());
        var stream = to.size() == 0 ? Optional.<Resource>empty() : stream(world, build, tag);
        var problem = missing(build, world)
                .map(why -> new Problem("InvalidImageReference", why))
                .or(() -> to.size() > 0 && stream.isEmpty()
                        ? Optional.of(new Problem(
                                "InvalidOutputReference",
                                "Output image could not be resolved: there is no ImageStream " + tag.namespace() + "/"
                                        + tag.stream()))
                        : Optional.empty());
        boolean isRunning = build.status().string("phase").equals("Running");
        Outside.Answer<BuildResult> answer = isRunning && (to.size() == 0 || stream.isPresent())
                ? work.ask(observed.name(), order(build, world, to.size() == 0 ? "" : tag.tag(), tag))
                : new Outside.Answer.Pending<>();
        return new BuildFacts(isOvertaken(build, world), before(build, world), problem, stream, answer);
    }

    private static BuildOrder order(Resource build, World world, String tag, TagName output) {
        var from = ConfigReconciler.from(build.spec());
        var base = from.string("kind").equals("ImageStreamTag")
                ? image(world, build, TagName.of(from, build.namespace()))
                        .map(item -> item.string("dockerImageReference"))
                        .orElse("")
                : from.string("name");
        return new BuildOrder(
                ObjectName.of(build),
                build.uid(),
                build.spec(),
                base,
                new ObjectName(build.cluster(), output.namespace(), output.stream()),
                tag);
    }

    private static String policy(Resource build) {
        return build.labels().getOrDefault("openshift.io/build.start-policy", "Parallel");
    }

    private static boolean isOvertaken(Resource build, World world) {
        return policy(build).equals("SerialLatestOnly")
                && world.builds().in(build.cluster(), build.namespace()).stream()
                        .anyMatch(other ->
                                config(other).equals(config(build)) && NewBuild.number(other) > NewBuild.number(build));
    }

    /// One of the same BuildConfig that has to end first.
    private static Optional<String> before(Resource build, World world) {
        if (!policy(build).startsWith("Serial")) {
            return Optional.empty();
        }
        return world.builds().in(build.cluster(), build.namespace()).stream()
                .filter(other -> config(other).equals(config(build))
                        && NewBuild.number(other) < NewBuild.number(build)
                        && !BuildReconciler.ENDED.contains(other.status().string("phase")))
                .map(Resource::name)
                .findFirst();
    }

    private static StreamFacts streamFacts(Observed<Json.Obj> observed, World world) {
        var stream = observed.object();
        var others = new HashMap<String, Resource>();
        for (var tag : stream.spec().objects("tags")) {
            if (tag.string("from", "kind").equals("ImageStreamTag")) {
                var source = TagName.of(tag.object("from"), stream.namespace());
                stream(world, stream, source)
                        .ifPresent(found -> others.put(source.namespace() + "/" + source.stream(), found));
            }
        }
        return new StreamFacts(Map.copyOf(others), world.tags().ownedBy(stream.uid()));
    }
}
