package dev.towtank.apiserver.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.WatchStream;
import dev.towtank.apiserver.view.Accept.Offer;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ViewTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                                                       | JSON | OBJECT        | v1
            */*                                                                      | JSON | OBJECT        | v1
            application/*                                                            | JSON | OBJECT        | v1
            application/json                                                         | JSON | OBJECT        | v1
            application/yaml                                                         | YAML | OBJECT        | v1
            application/json;q=0.5,application/yaml                                  | YAML | OBJECT        | v1
            application/vnd.kubernetes.protobuf,application/json                     | JSON | OBJECT        | v1
            application/json;as=Table;v=v1;g=meta.k8s.io,application/json            | JSON | TABLE         | v1
            application/json;as=Table;g=meta.k8s.io;v=v1beta1,application/json       | JSON | TABLE         | v1beta1
            application/yaml; as=Table; g=meta.k8s.io; v=v1                          | YAML | TABLE         | v1
            application/json;as=Table;v=v9;g=meta.k8s.io,application/json            | JSON | OBJECT        | v1
            application/json;as=Unknown;v=v1;g=meta.k8s.io,application/yaml          | YAML | OBJECT        | v1
            application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1             | JSON | METADATA      | v1
            application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1         | JSON | METADATA_LIST | v1
            text/html,application/xhtml+xml,*/*;q=0.8                                | JSON | OBJECT        | v1
            """)
    void choosesWhatTheClientLikesBest(String header, Form.Format format, Form.Shape shape, String version) {
        var form = Accept.choose(header == null ? "" : header, Offer.RESOURCES);

        assertThat(form).isEqualTo(new Form(format, shape, version, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "application/vnd.kubernetes.protobuf",
                "application/json;q=0",
                "application/json;as=Table;v=v9;g=meta.k8s.io",
                "application/json;stream=other"
            })
    void refusesWhatItDoesNotHave(String header) {
        assertThatThrownBy(() -> Accept.choose(header, Offer.RESOURCES))
                .isInstanceOf(StatusError.class)
                .hasMessage("only the following media types are accepted: application/json, application/yaml");
    }

    @Test
    void showsNameAndAgeOfKindsWithoutColumns() {
        var kind = Kind.namespaced("example.org", "v1", "Thing", "things");
        var object = Content.of(JsonText.parseObject(
                "{\"metadata\": {\"name\": \"a\", \"creationTimestamp\": \"2026-01-01T00:00:00Z\"}}"));

        var table = new TableView(kind, "v1", TableView.Include.NONE, Instant.parse("2026-01-03T00:00:00Z"))
                .table(Json.Obj.EMPTY, List.of(object), true);

        assertThat(table.objects("columnDefinitions"))
                .extracting(column -> column.string("name"))
                .containsExactly("Name", "Age");
        assertThat(table.objects("rows").getFirst()).hasToString("{\"cells\":[\"a\",\"2d\"],\"object\":null}");
    }

    @Test
    void makesAFrameOnceForAllWatchers() {
        var frames = new Frames();
        var object = Content.of(JsonText.parseObject("{\"a\": 1}"));

        var first = frames.plain(new WatchStream.Event(WatchStream.Type.ADDED, object));
        var again = frames.plain(new WatchStream.Event(WatchStream.Type.ADDED, object));
        var other = frames.plain(new WatchStream.Event(WatchStream.Type.DELETED, object));

        assertThat(again).isSameAs(first);
        assertThat(Payload.of(first)).hasToString("{\"type\":\"ADDED\",\"object\":{\"a\":1}}\n");
        assertThat(Payload.of(other)).hasToString("{\"type\":\"DELETED\",\"object\":{\"a\":1}}\n");
    }

    @Test
    void listsSubresourcesOfAKind() {
        var kind = Kind.namespaced("apps", "v1", "Deployment", "deployments")
                .withStatus()
                .withScale(new Kind.Scale(List.of("spec", "replicas"), List.of(), Optional.empty()));

        assertThat(Subresources.of(kind))
                .extracting(Subresources.Subresource::name)
                .containsExactly("scale", "status");
        assertThat(Subresources.find(kind, "status").orElseThrow().verbs()).containsExactly("get", "patch", "update");
        assertThat(Subresources.find(kind, "log")).isEmpty();
    }
}
