package dev.towtank.controllers.pipelines;

import dev.towtank.cluster.Definitions;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.conversion.Conversion;
import dev.towtank.controllers.pipelines.validation.Admission;
import dev.towtank.controllers.pipelines.validation.Completion;
import dev.towtank.controllers.pipelines.validation.ForeignFields;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What Tekton's kinds are, and what they do when somebody writes them.
public final class TektonKinds {

    private static final List<String> KINDS =
            List.of("Task", "Pipeline", "TaskRun", "PipelineRun", "StepAction", "CustomRun", "VerificationPolicy");

    private final Supplier<Settings> settings;

    /// @param settings what they are at the moment of asking
    public TektonKinds(Supplier<Settings> settings) {
        this.settings = settings;
    }

    /// The definitions of the kinds, and the roles of those who use them.
    public static final Definitions DEFINITIONS = Definitions.of(
            TektonKinds.class,
            "crds/tasks.json",
            "crds/pipelines.json",
            "crds/taskruns.json",
            "crds/pipelineruns.json",
            "crds/stepactions.json",
            "crds/customruns.json",
            "crds/verificationpolicies.json",
            "crds/resolutionrequests.json",
            "crds/roles.yaml",
            "crds/namespaces.yaml");

    public List<KindBehaviour> behaviours() {
        return Stream.<KindBehaviour>concat(
                        KINDS.stream().map(kind -> new Behaviour("tekton.dev", kind, settings, new Completion())),
                        Stream.of(new Behaviour(
                                "resolution.tekton.dev", "ResolutionRequest", settings, new Completion())))
                .toList();
    }

    private record Behaviour(String group, String kind, Supplier<Settings> settings, Completion completion)
            implements KindBehaviour {

        @Override
        public Json.Obj prune(Json.Obj object, Consumer<String> unknownField) {
            return ForeignFields.dropped(object, unknownField);
        }

        @Override
        public Json.Obj prepareCreate(Json.Obj object) {
            return Admission.unsigned(object);
        }

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return completion.defaults(object, settings.get());
        }

        @Override
        public Optional<StatusError> unreadable(Json.Obj object) {
            return Admission.unreadable(object);
        }

        @Override
        public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
            return Admission.review(object, Optional.ofNullable(old), settings.get())
                    .refusal();
        }

        @Override
        public Optional<Converter> converter() {
            return Optional.of(Conversion::convert);
        }
    }
}
