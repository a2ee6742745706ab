package dev.towtank.controllers.pipelines;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Ground;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.pods.ImageCommands;
import dev.towtank.controllers.git.source.SshCommand;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.entrypoint.TektonEntrypoint;
import dev.towtank.controllers.pipelines.notifications.Notifications;
import dev.towtank.controllers.pipelines.pipelineruns.PipelineRunController;
import dev.towtank.controllers.pipelines.resolution.ResolutionController;
import dev.towtank.controllers.pipelines.runs.PodLogs;
import dev.towtank.controllers.pipelines.runs.SettingsCache;
import dev.towtank.controllers.pipelines.source.BundleResolver;
import dev.towtank.controllers.pipelines.source.GitResolver;
import dev.towtank.controllers.pipelines.source.HttpResolver;
import dev.towtank.controllers.pipelines.source.HubResolver;
import dev.towtank.controllers.pipelines.source.Resolver;
import dev.towtank.controllers.pipelines.taskruns.TaskRunController;
import dev.towtank.controllers.pipelines.taskruns.TektonImages;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.crd.KindBehaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Tekton Pipelines.
public final class PipelinesFeature implements Feature {

    /// More than all results of a run may have together.
    private static final int LARGEST_LOG = 8 << 20;

    private final TektonImages images = TektonImages.OWN;
    private final Function<Ground, Map<String, Resolver>> resolvers;
    private volatile @Nullable SettingsCache settings;

    /// With the resolvers there are.
    public PipelinesFeature() {
        this(ground -> Map.of(
                "git", new GitResolver(ground.timers(), SshCommand.of(ground)),
                "http", new HttpResolver(),
                "hub", new HubResolver(),
                "bundles", new BundleResolver()));
    }

    /// @param resolvers by the type that ResolutionRequests name; `cluster` needs none
    public PipelinesFeature(Function<Ground, Map<String, Resolver>> resolvers) {
        this.resolvers = resolvers;
    }

    @Override
    public String name() {
        return "pipelines";
    }

    @Override
    public String metricsPrefix() {
        return "tekton_pipelines_controller";
    }

    @Override
    public Definitions definitions() {
        return TektonKinds.DEFINITIONS;
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
    public List<Permission> permissions() {
        return Permission.read("""
                read create update patch delete | core | pods persistentvolumeclaims
                update | core | pods/finalizers
                read | core | namespaces configmaps secrets serviceaccounts limitranges
                read create update patch delete | tekton.dev resolution.tekton.dev | *
                """);
    }

    @Override
    public Running start(Place place) {
        var ground = place.ground();
        var logs = PodLogs.of(place.pods(), LARGEST_LOG, ground.timers());
        var resolution = new ResolutionController(
                place.caches(),
                resolvers.apply(ground),
                ground.timers(),
                look -> Thread.ofVirtual().name("resolution").start(look));
        // What our node runs in the place of Tekton's own images.
        return Running.of(controllers(place.caches(), ground.images(), logs, resolution))
                .observing(Notifications.observers(place))
                .playing(new TektonEntrypoint(images.nop()))
                .closing(logs::close)
                .closing(resolution::close);
    }

    /// @param commands what images run, for steps that do not say
    /// @param logs where results come with them
    public List<Controller<?, ?>> controllers(
            Caches caches, ImageCommands commands, PodLogs logs, ResolutionController resolution) {
        settings = new SettingsCache(caches);
        return List.of(
                TaskRunController.of(caches, images, commands, logs),
                PipelineRunController.of(caches),
                resolution.controller());
    }
}
