package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.Objects.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Services;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceAddressesTest {

    private final Store store = JournaledStore.inMemory();
    private final ServiceAddresses rule = new ServiceAddresses(store, new Random(1));

    @AfterEach
    void close() {
        store.close();
    }

    private static Json.Obj service(String name, String spec) {
        var given = json("{'metadata': {'namespace': 'blue', 'name': '" + name + "'}, 'spec': " + spec + "}");
        return Services.KIND.rules().defaults(given);
    }

    private static Key key(Json.Obj service) {
        return new Key(
                Services.KIND.resource(),
                LogicalCluster.DEFAULT,
                service.string("metadata", "namespace"),
                service.string("metadata", "name"));
    }

    /// As the server does it: change, check, and all that goes together in one commit.
    private Json.Obj create(Json.Obj given) {
        var object = rule.change(Reviews.create(Services.KIND, given), given);
        var review = Reviews.create(Services.KIND, object);
        rule.check(review);
        commit(review, new Write.Create(key(object), object));
        return object;
    }

    private void commit(Review review, Write write) {
        var writes = new ArrayList<Write>(List.of(write));
        writes.addAll(rule.alongside(review));
        store.commit(writes);
    }

    private Json.Obj update(Json.Obj object, Json.Obj old) {
        var prepared = Services.KIND.rules().prepareUpdate(object, old);
        var changed = rule.change(Reviews.of(Services.KIND, Review.Operation.UPDATE, "", prepared, old), prepared);
        var review = Reviews.of(Services.KIND, Review.Operation.UPDATE, "", changed, old);
        rule.check(review);
        commit(review, new Write.Update(key(old), store.get(key(old)).revision(), changed));
        return changed;
    }

    private void delete(Json.Obj service) {
        var review = Reviews.of(Services.KIND, Review.Operation.DELETE, "", null, service);
        commit(review, new Write.Delete(key(service), store.get(key(service)).revision(), service));
    }

    private void assertRefused(Json.Obj service, String problem) {
        assertThatThrownBy(() -> create(service))
                .isInstanceOfSatisfying(
                        StatusError.class, e -> assertThat(e.text()).endsWith(problem));
    }

    @Test
    void everyServiceGetsAnAddressOfItsOwn() {
        var seen = new HashSet<String>();
        for (int i = 0; i < 200; i++) {
            var made = create(service("s" + i, "{'ports': [{'port': 80}]}"));
            assertThat(made.string("spec", "clusterIP")).matches("127\\.(9[6-9]|10[0-9]|11[01])\\..*");
            assertThat(made.array("spec", "clusterIPs").strings()).containsExactly(made.string("spec", "clusterIP"));
            assertThat(seen.add(made.string("spec", "clusterIP"))).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'clusterIP': 'None', 'ports': [{'port': 80}]}               | None
            {'type': 'ExternalName', 'externalName': 'example.com'}      | ''
            {'clusterIP': '127.96.0.77', 'ports': [{'port': 80}]}        | 127.96.0.77
            """)
    void noneAndChosenAddressesStay(String spec, String ip) {
        assertThat(create(service("s", spec)).string("spec", "clusterIP")).isEqualTo(ip);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10.0.0.1   | failed to allocate IP 10.0.0.1: the provided IP (10.0.0.1) is not in the valid range. The range of valid IPs is 127.96.0.0/12
            127.96.0.1 | failed to allocate IP 127.96.0.1: provided IP is already allocated
            127.96.0.7 | failed to allocate IP 127.96.0.7: provided IP is already allocated
            """)
    void refusesAddressesThatAreNotToBeHad(String ip, String problem) {
        create(service("first", "{'clusterIP': '127.96.0.7', 'ports': [{'port': 80}]}"));

        assertRefused(service("second", "{'clusterIP': '" + ip + "', 'ports': [{'port': 80}]}"), problem);
    }

    @Test
    void theAddressOfADeletedServiceIsFree() {
        var spec = "{'type': 'NodePort', 'clusterIP': '127.96.0.7', 'ports': [{'port': 80, 'nodePort': 30007}]}";
        var first = create(service("first", spec));
        assertRefused(
                service("second", "{'type': 'NodePort', 'ports': [{'port': 80, 'nodePort': 30007}]}"),
                "spec.ports[0].nodePort: Invalid value: 30007: provided port is already allocated");

        delete(first);

        assertThat(create(service("second", spec)).string("spec", "clusterIP")).isEqualTo("127.96.0.7");
    }

    @Test
    void anAddressWhoseServiceVanishedOtherwiseIsTakenOver() {
        var spec = "{'clusterIP': '127.96.0.7', 'ports': [{'port': 80}]}";
        var first = create(service("first", spec));
        store.commit(new Write.Delete(key(first), store.get(key(first)).revision(), first));

        create(service("second", spec));

        assertRefused(service("third", spec), "failed to allocate IP 127.96.0.7: provided IP is already allocated");
    }

    @Test
    void nodePortsAreInTheirRange() {
        var made = create(
                service("s", "{'type': 'NodePort', 'ports': [{'name': 'a', 'port': 80}, {'name': 'b', 'port': 81}]}"));
        var ports = made.objects("spec", "ports").stream()
                .map(port -> port.integer("nodePort"))
                .toList();

        assertThat(ports)
                .allSatisfy(port -> assertThat(port).isBetween(30000L, 32767L))
                .doesNotHaveDuplicates();
        assertRefused(
                service("t", "{'type': 'NodePort', 'ports': [{'port': 80, 'nodePort': 80}]}"),
                "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid"
                        + " ports is 30000-32767");
    }

    @Test
    void oneNumberServesTwoProtocols() {
        var made = create(
                service(
                        "dns",
                        "{'type': 'NodePort', 'ports': [{'name': 'a', 'port': 53}, {'name': 'b', 'port': 53, 'protocol': 'UDP'}]}"));

        assertThat(made.objects("spec", "ports").stream()
                        .map(port -> port.integer("nodePort"))
                        .distinct())
                .hasSize(1);
    }

    @Test
    void aServiceThatChangesItsTypeLetsGoWhatItNoLongerNeeds() {
        var first = create(service(
                "first",
                "{'type': 'NodePort', 'clusterIP': '127.96.0.7', 'ports': [{'port': 80, 'nodePort': 30007}]}"));

        update(
                service("first", "{'type': 'ExternalName', 'externalName': 'example.com', 'ports': [{'port': 80}]}"),
                first);

        create(service(
                "second",
                "{'type': 'NodePort', 'clusterIP': '127.96.0.7', 'ports': [{'port': 80, 'nodePort': 30007}]}"));
    }

    @Test
    void anUpdateKeepsTheAddress() {
        var first = create(service("first", "{'ports': [{'port': 80}]}"));

        var changed = update(service("first", "{'ports': [{'port': 81}]}"), first);

        assertThat(changed.string("spec", "clusterIP")).isEqualTo(first.string("spec", "clusterIP"));
    }

    @Test
    void theOtherFamilyIsNotToBeHad() {
        assertRefused(
                service("s", "{'ipFamilyPolicy': 'RequireDualStack', 'ports': [{'port': 80}]}"),
                "this cluster is not configured for dual-stack services");
        assertRefused(
                service("s", "{'ipFamilies': ['IPv6'], 'ports': [{'port': 80}]}"),
                "spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this cluster");
    }
}
