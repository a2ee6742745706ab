package dev.towtank.model.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Schemas;
import io.kubernetes.client.proto.IntStr.IntOrString;
import io.kubernetes.client.proto.Meta.ObjectMeta;
import io.kubernetes.client.proto.Meta.Time;
import io.kubernetes.client.proto.Resource.Quantity;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Bodies as Go clients write them, made by the generated classes of another project.
class ProtobufReaderTest {

    private static byte[] body(String apiVersion, String kind, Message object) {
        var envelope = Unknown.newBuilder()
                .setTypeMeta(TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
                .setRaw(object.toByteString())
                .build();
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {'k', '8', 's', 0});
        bytes.writeBytes(envelope.toByteArray());
        return bytes.toByteArray();
    }

    private static Json.Obj read(String apiVersion, String kind, Message object) {
        return ProtobufReader.read(body(apiVersion, kind, object), Schemas.builtin());
    }

    private static Json.Obj json(String text) {
        return JsonText.parseObject(text);
    }

    @Test
    void readsMapsAndBytes() {
        var secret = V1.Secret.newBuilder()
                .setMetadata(ObjectMeta.newBuilder()
                        .setName("password")
                        .putLabels("app", "web")
                        .setCreationTimestamp(Time.newBuilder()))
                .putData("key", ByteString.copyFromUtf8("value"))
                .putStringData("plain", "text")
                .setType("Opaque")
                .build();
        assertThat(read("v1", "Secret", secret)).isEqualTo(json("""
                {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "password", "labels": {"app": "web"}},
                 "data": {"key": "dmFsdWU="}, "stringData": {"plain": "text"}, "type": "Opaque"}"""));
    }

    @Test
    void readsTheTypesOfAPod() {
        var probe = V1.Probe.newBuilder()
                .setHandler(V1.ProbeHandler.newBuilder()
                        .setHttpGet(V1.HTTPGetAction.newBuilder()
                                .setPath("/ready")
                                .setPort(IntOrString.newBuilder().setType(1).setStrVal("http"))))
                .setPeriodSeconds(5);
        var container = V1.Container.newBuilder()
                .setName("main")
                .setImage("nginx:1")
                .setImagePullPolicy("")
                .addPorts(V1.ContainerPort.newBuilder().setContainerPort(80).setHostPort(0))
                .setReadinessProbe(probe)
                .setResources(V1.ResourceRequirements.newBuilder()
                        .putLimits(
                                "cpu", Quantity.newBuilder().setString("500m").build()));
        var volume = V1.Volume.newBuilder()
                .setName("config")
                .setVolumeSource(V1.VolumeSource.newBuilder()
                        .setConfigMap(V1.ConfigMapVolumeSource.newBuilder()
                                .setLocalObjectReference(
                                        V1.LocalObjectReference.newBuilder().setName("settings"))
                                .setDefaultMode(420)));
        var pod = V1.Pod.newBuilder()
                .setMetadata(ObjectMeta.newBuilder()
                        .setName("web")
                        .setCreationTimestamp(Time.newBuilder().setSeconds(1_700_000_000L)))
                .setSpec(V1.PodSpec.newBuilder()
                        .addContainers(container)
                        .addVolumes(volume)
                        .setHostNetwork(false)
                        .setAutomountServiceAccountToken(false)
                        .setTerminationGracePeriodSeconds(0))
                .setStatus(V1.PodStatus.newBuilder())
                .build();
        assertThat(read("v1", "Pod", pod)).isEqualTo(json("""
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"name": "web", "creationTimestamp": "2023-11-14T22:13:20Z"},
                 "spec": {
                   "volumes": [{"name": "config", "configMap": {"name": "settings", "defaultMode": 420}}],
                   "containers": [{"name": "main", "image": "nginx:1", "ports": [{"containerPort": 80}],
                     "resources": {"limits": {"cpu": "500m"}},
                     "readinessProbe": {"httpGet": {"path": "/ready", "port": "http"}, "periodSeconds": 5}}],
                   "terminationGracePeriodSeconds": 0, "automountServiceAccountToken": false}}"""));
    }

    @Test
    void bytesThatAreNoObjectAreRefused() {
        var schemas = Schemas.builtin();
        assertThatThrownBy(() -> ProtobufReader.read("{}".getBytes(StandardCharsets.UTF_8), schemas))
                .isInstanceOf(JsonText.Malformed.class);
        var unknown = body("example.com/v1", "Gadget", V1.ConfigMap.getDefaultInstance());
        assertThatThrownBy(() -> ProtobufReader.read(unknown, schemas))
                .isInstanceOf(JsonText.Malformed.class)
                .hasMessageContaining("no protobuf form is known for kind \"Gadget\"");
    }

    @Test
    void damagedBytesNeverDoWorseThanBeingRefused() {
        var whole = body(
                "v1",
                "ConfigMap",
                V1.ConfigMap.newBuilder()
                        .setMetadata(ObjectMeta.newBuilder().setName("a").putLabels("b", "c"))
                        .putData("k", "v".repeat(100))
                        .build());
        var random = new Random(11);
        for (int i = 0; i < 5_000; i++) {
            var damaged = Arrays.copyOf(whole, random.nextInt(4, whole.length + 1));
            damaged[random.nextInt(4, Math.max(5, damaged.length)) % damaged.length] = (byte) random.nextInt();
            try {
                ProtobufReader.read(damaged, Schemas.builtin());
            } catch (JsonText.Malformed e) {
                assertThat(e).hasMessageNotContaining("Exception");
            }
        }
    }
}
