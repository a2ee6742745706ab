package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.towtank.model.Schema.Scalar;
import dev.towtank.model.Schema.Value;
import dev.towtank.model.kinds.BuiltinKinds;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admission;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemasTest {

    private static final List<FileDescriptor> FILES = List.of(
            Meta.getDescriptor(),
            V1.getDescriptor(),
            V1Admission.getDescriptor(),
            V1Admissionregistration.getDescriptor(),
            V1Apiextensions.getDescriptor(),
            V1Apps.getDescriptor(),
            V1Authentication.getDescriptor(),
            V1Authorization.getDescriptor(),
            V1Autoscaling.getDescriptor(),
            V1Batch.getDescriptor(),
            V1Networking.getDescriptor(),
            V1Policy.getDescriptor(),
            V1Rbac.getDescriptor(),
            V1Scheduling.getDescriptor(),
            V1Storage.getDescriptor());

    private static final Map<Scalar, String> MESSAGES = Map.of(
            Scalar.QUANTITY, "Quantity",
            Scalar.INT_OR_STRING, "IntOrString",
            Scalar.TIME, "Time",
            Scalar.MICRO_TIME, "MicroTime",
            Scalar.DURATION, "Duration");

    /// The descriptors are of an older Kubernetes, so they may lack types and fields, but may not contradict.
    @Test
    void agreesWithTheProtobufDescriptors() {
        var descriptors = new HashMap<String, Descriptor>();
        FILES.forEach(file -> file.getMessageTypes().forEach(each -> descriptors.put(each.getFullName(), each)));
        var wrong = new ArrayList<String>();
        var unchecked = new TreeSet<String>();
        int checked = 0;
        for (var type : Schemas.builtin().types()) {
            var descriptor = descriptors.get(protobufName(type));
            for (var field : type.declaredFields()) {
                var judge = descriptor == null ? null : descriptor.findFieldByNumber(field.number());
                if (judge == null) {
                    unchecked.add(type.name() + "." + field.name());
                    continue;
                }
                checked++;
                if (!sameName(field, judge) || !fits(field.value(), judge)) {
                    wrong.add(type + "." + field.name() + " is " + judge.getName() + " " + judge.getType());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(checked).isGreaterThan(1000);
        assertThat(unchecked).as("fields without a judge").hasSizeLessThan(checked / 4);
    }

    private static String protobufName(Schema.Type type) {
        return type.name().replaceFirst("^io\\.k8s", "k8s.io").replace('-', '_');
    }

    private static boolean sameName(Schema.Field field, FieldDescriptor judge) {
        var plain = field.name().replaceAll("[^A-Za-z0-9]", "");
        return judge.getName().equalsIgnoreCase(plain) || field.inline();
    }

    private static boolean fits(Value value, FieldDescriptor judge) {
        return switch (value) {
            case Value.ListOf list when !list.wrapped() -> judge.isRepeated() && fitsElement(list.element(), judge);
            case Value.MapOf map ->
                judge.isMapField()
                        && fitsElement(map.element(), judge.getMessageType().findFieldByNumber(2));
            case Value.ListOf _, Value.ScalarOf _, Value.ObjectOf _ -> !judge.isRepeated() && fitsElement(value, judge);
        };
    }

    private static boolean fitsElement(Value value, FieldDescriptor judge) {
        return switch (value) {
            case Value.ObjectOf(var type) -> isMessage(judge, protobufName(type));
            case Value.ListOf list -> list.wrapped() && isMessage(judge, list.goName());
            case Value.MapOf _ -> false;
            case Value.ScalarOf(var scalar, var _) ->
                switch (scalar) {
                    case STRING -> judge.getType() == FieldDescriptor.Type.STRING;
                    case BOOL -> judge.getType() == FieldDescriptor.Type.BOOL;
                    case INT32 -> judge.getType() == FieldDescriptor.Type.INT32;
                    case INT64 -> judge.getType() == FieldDescriptor.Type.INT64;
                    case DOUBLE -> judge.getType() == FieldDescriptor.Type.DOUBLE;
                    case BYTES -> judge.getType() == FieldDescriptor.Type.BYTES;
                    case QUANTITY, INT_OR_STRING, TIME, MICRO_TIME, DURATION ->
                        judge.getType() == FieldDescriptor.Type.MESSAGE
                                && judge.getMessageType().getName().equals(MESSAGES.get(scalar));
                    case ANY ->
                        judge.getType() == FieldDescriptor.Type.MESSAGE
                                && List.of("RawExtension", "JSON", "FieldsV1")
                                        .contains(judge.getMessageType().getName());
                };
        };
    }

    private static boolean isMessage(FieldDescriptor judge, String name) {
        return judge.getType() == FieldDescriptor.Type.MESSAGE
                && (judge.getMessageType().getFullName().equals(name)
                        || name.endsWith("." + judge.getMessageType().getName()));
    }

    @ParameterizedTest
    @CsvSource({
        "v1, Namespace",
        "v1, Pod",
        "v1, Service",
        "v1, Endpoints",
        "v1, ConfigMap",
        "v1, Secret",
        "v1, ServiceAccount",
        "v1, PersistentVolume",
        "v1, PersistentVolumeClaim",
        "v1, Event",
        "v1, Node",
        "v1, LimitRange",
        "v1, ResourceQuota",
        "v1, Binding",
        "apps/v1, Deployment",
        "apps/v1, ReplicaSet",
        "apps/v1, StatefulSet",
        "apps/v1, DaemonSet",
        "apps/v1, ControllerRevision",
        "batch/v1, Job",
        "batch/v1, CronJob",
        "rbac.authorization.k8s.io/v1, ClusterRole",
        "rbac.authorization.k8s.io/v1, Role",
        "rbac.authorization.k8s.io/v1, RoleBinding",
        "rbac.authorization.k8s.io/v1, ClusterRoleBinding",
        "storage.k8s.io/v1, StorageClass",
        "coordination.k8s.io/v1, Lease",
        "policy/v1, PodDisruptionBudget",
        "policy/v1, Eviction",
        "networking.k8s.io/v1, Ingress",
        "networking.k8s.io/v1, NetworkPolicy",
        "networking.k8s.io/v1, IngressClass",
        "discovery.k8s.io/v1, EndpointSlice",
        "events.k8s.io/v1, Event",
        "autoscaling/v1, Scale",
        "autoscaling/v1, HorizontalPodAutoscaler",
        "autoscaling/v2, HorizontalPodAutoscaler",
        "v1, ReplicationController",
        "v1, PodTemplate",
        "apiregistration.k8s.io/v1, APIService",
        "metrics.k8s.io/v1beta1, PodMetrics",
        "metrics.k8s.io/v1beta1, NodeMetrics",
        "authentication.k8s.io/v1, TokenRequest",
        "authentication.k8s.io/v1, TokenReview",
        "authentication.k8s.io/v1, SelfSubjectReview",
        "authorization.k8s.io/v1, SubjectAccessReview",
        "authorization.k8s.io/v1, SelfSubjectAccessReview",
        "authorization.k8s.io/v1, LocalSubjectAccessReview",
        "authorization.k8s.io/v1, SelfSubjectRulesReview",
        "apiextensions.k8s.io/v1, CustomResourceDefinition",
        "admissionregistration.k8s.io/v1, ValidatingWebhookConfiguration",
        "admissionregistration.k8s.io/v1, MutatingWebhookConfiguration",
        "admissionregistration.k8s.io/v1, ValidatingAdmissionPolicy",
        "admissionregistration.k8s.io/v1, ValidatingAdmissionPolicyBinding",
        "v1, Status",
        "v1, DeleteOptions"
    })
    void hasEveryKindThatIsServed(String apiVersion, String kind) {
        var type = Schemas.builtin().find(apiVersion, kind).orElseThrow();
        assertThat(type.simpleName()).isEqualTo(kind);
        assertThat(type.field("apiVersion")).isNotNull();
    }

    @Test
    void everyBuiltInKindHasASchema() {
        assertThat(BuiltinKinds.ALL)
                .allSatisfy(kind -> assertThat(Schemas.builtin().find(kind))
                        .as(kind.toString())
                        .isPresent());
    }

    @Test
    void numbersAndNamesAreUniqueInEachType() {
        for (var type : Schemas.builtin().types()) {
            var numbers =
                    type.declaredFields().stream().map(Schema.Field::number).toList();
            assertThat(numbers).as(type.name()).doesNotHaveDuplicates().doesNotContain(0);
        }
    }

    @Test
    void inlinedFieldsStandInTheParent() {
        var volume = Schemas.builtin().type("io.k8s.api.core.v1.Volume").orElseThrow();
        assertThat(volume.field("emptyDir")).isNotNull();
        assertThat(volume.field("volumeSource")).isNull();
        assertThat(volume.declaredFields()).hasSize(2);
    }

    @Test
    void knowsHowListsMerge() {
        var container = Schemas.builtin().type("io.k8s.api.core.v1.Container").orElseThrow();
        var ports = container.field("ports");
        assertThat(ports).isNotNull();
        assertThat(ports.patch().key()).isEqualTo("containerPort");
        assertThat(ports.listType()).contains(Schema.ListType.MAP);
        assertThat(ports.keys()).containsExactly("containerPort", "protocol");
        assertThat(ports.value().goName()).isEqualTo("[]v1.ContainerPort");
        var command = container.field("command");
        assertThat(command).isNotNull();
        assertThat(command.listType()).contains(Schema.ListType.ATOMIC);
    }
}
