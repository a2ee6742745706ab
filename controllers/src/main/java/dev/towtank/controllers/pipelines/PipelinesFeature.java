package dev.towtank.controllers.pipelines;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Observer;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.pipelines.api.Settings;
import dev.towtank.controllers.pipelines.entrypoint.TektonEntrypoint;
import dev.towtank.controllers.pipelines.notifications.Notifications;
import dev.towtank.controllers.pipelines.pipelineruns.PipelineRunController;
import dev.towtank.controllers.pipelines.resolution.ResolutionController;
import dev.towtank.controllers.pipelines.runs.ImageCommands;
import dev.towtank.controllers.pipelines.runs.PodLogs;
import dev.towtank.controllers.pipelines.runs.SettingsCache;
import dev.towtank.controllers.pipelines.source.BundleResolver;
import dev.towtank.controllers.pipelines.source.GitResolver;
import dev.towtank.controllers.pipelines.source.HttpResolver;
import dev.towtank.controllers.pipelines.source.HubResolver;
import dev.towtank.controllers.pipelines.source.Resolver;
import dev.towtank.controllers.pipelines.taskruns.Images;
import dev.towtank.controllers.pipelines.taskruns.TaskRunController;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.crd.KindBehaviour;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tekton Pipelines.
public final class PipelinesFeature implements Feature {

    /// More than all results of a run may have together.
    private static final int LARGEST_LOG = 8 << 20;

    private final Images images;
    private final ImageCommands commands;
    private final PodLogs logs;
    private final Map<String, Resolver> resolvers;
    private final InstantSource clock;
    private volatile @Nullable SettingsCache settings;

    /// @param images of Tekton's own containers
    /// @param commands what images run, for steps that do not say
    /// @param logs where results come with them
    /// @param resolvers by the type that ResolutionRequests name; `cluster` needs none
    public PipelinesFeature(
            Images images, ImageCommands commands, PodLogs logs, Map<String, Resolver> resolvers, InstantSource clock) {
        this.images = images;
        this.commands = commands;
        this.logs = logs;
        this.resolvers = Map.copyOf(resolvers);
        this.clock = clock;
    }

    /// With the resolvers there are.
    public static PipelinesFeature of(ImageCommands commands, PodAccess pods, InstantSource clock) {
        Map<String, Resolver> resolvers = Map.of(
                "git", new GitResolver(clock),
                "http", new HttpResolver(),
                "hub", new HubResolver(),
                "bundles", new BundleResolver());
        return new PipelinesFeature(Images.OWN, commands, PodLogs.of(pods, LARGEST_LOG), resolvers, clock);
    }

    @Override
    public List<Json.Obj> definitions() {
        return TektonKinds.definitions();
    }

    @Override
    public List<KindBehaviour> behaviours() {
        var all = new ArrayList<KindBehaviour>(new TektonKinds(this::settings).behaviours());
        all.add(new SettingsReview());
        return all;
    }

    /// As the ConfigMaps of the default logical cluster say now.
    private Settings settings() {
        var cache = settings;
        return cache == null ? Settings.INITIAL : cache.of(LogicalCluster.DEFAULT);
    }

    @Override
    public String name() {
        return "pipelines";
    }

    /// What our node runs in the place of Tekton's own images.
    public ContainerProgram program() {
        return new TektonEntrypoint(images.nop());
    }

    @Override
    public List<Controller<?, ?>> controllers(Caches caches) {
        settings = new SettingsCache(caches);
        return List.of(
                TaskRunController.of(caches, images, commands, logs),
                PipelineRunController.of(caches),
                ResolutionController.of(caches, resolvers, clock));
    }

    @Override
    public List<Observer> observers(Observer.Place place) {
        return Notifications.observers(place);
    }
}
