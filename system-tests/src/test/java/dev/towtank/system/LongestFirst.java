package dev.towtank.system;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/// Lets the classes that take longest begin first, or one of them would run alone in the end.
public final class LongestFirst implements ClassOrderer {

    /// The first takes three minutes, the last one. Where the list is old, the tests take longer and are no worse.
    private static final List<Class<?>> LONG = List.of(
            ServingIT.class,
            ModelTrainingIT.class,
            ModelsIT.class,
            HostilePodsIT.class,
            PodNetworkIT.class,
            RunIT.class,
            BucketsIT.class,
            PipelineServiceIT.class,
            GitOpsStoryIT.class,
            NotebooksIT.class,
            TrainingCrashIT.class,
            KubectlKindsIT.class,
            ModelRolloutIT.class,
            EventSourcesIT.class,
            S3ConfigurationIT.class,
            RecordedTrainingIT.class,
            GitOpsRemoteIT.class,
            GitOpsCrashIT.class,
            ImagesIT.class,
            ToolsIT.class,
            GitOpsAcceptanceIT.class,
            NodesIT.class,
            PowerCutIT.class);

    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors().sort(Comparator.comparingInt(LongestFirst::rank));
    }

    private static int rank(ClassDescriptor descriptor) {
        int place = LONG.indexOf(descriptor.getTestClass());
        return place < 0 ? LONG.size() : place;
    }
}
