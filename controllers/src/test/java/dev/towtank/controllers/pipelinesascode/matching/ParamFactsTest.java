package dev.towtank.controllers.pipelinesascode.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What upstream's own tables say about templates with params of a Repository.
class ParamFactsTest {

    private static String filled(GitEvent event, String params, String template) {
        var declared = ((Json.Obj) YamlText.parse("params: " + params)).objects("params");
        var values = RepositoryParams.of(
                event,
                "there",
                declared,
                reference -> reference.string("name").equals("name") ? Optional.of("gone") : Optional.empty(),
                () -> ChangedFiles.NONE);
        return new Placeholders(event, () -> ChangedFiles.NONE, values).fill(template);
    }

    private static GitEvent event(String type) {
        var event = GitEvent.of(GitEvent.Forge.GITHUB, JsonText.parseObject("{\"number\": 42}"), Map.of());
        event.type = type;
        event.sha = "abcd";
        event.url = "http://example.com";
        event.owner = "OWNER";
        event.name = "REPOSITORY";
        event.head = "refs/heads/ohyeah";
        event.base = "ohno";
        event.sender = "apollo";
        return event.build();
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | {{ revision }} {{ repo_owner }} {{ repo_name }} {{ repo_url }} {{ sender }} | abcd owner repository http://example.com apollo",
                "[] | {{ source_branch }} {{ target_branch }} | ohyeah ohno",
                "[] | {{ pull_request_number }}               | {{ pull_request_number }}",
                "[] | ns {{ target_namespace }}               | ns there",
                "[{name: p, value: batman}]                   | I am {{ p }} | I am batman",
                "[{name: p, secret_ref: {name: name, key: key}}] | she {{ p }} | she gone",
                "[{name: p, value: batman}, {name: p, value: robin}] | I am {{ p }} | I am robin",
                "[{value: batman}]                            | I am {{ p }} | I am {{ p }}",
                "[{name: p, value: batman, secret_ref: {name: name, key: key}}] | I am {{ p }} | I am batman",
                "[{name: p, value: batman, filter: 'pac.event_type == \"pull_request\"'}] | I am {{ p }} | I am batman",
                "[{name: p, value: batman, filter: 'body.number == 42'}] | I am {{ p }} | I am batman",
                "[{name: p, secret_ref: {name: unknown}}]     | No {{ p }} | No {{ p }}",
                "[{name: p, value: batman, filter: 'pac.event_type == \"push\"'}] | I am {{ p }} | I am {{ p }}",
                "[{name: p, value: batman, filter: 'pac.event_type == \"pull_request\"'}, {name: p, value: robin, filter: 'pac.event_type == \"pull_request\"'}] | I am {{ p }} | I am batman",
            })
    void areFilledAsUpstreamFillsThem(String params, String template, String expected) {
        assertThat(filled(event(GitEvent.PULL_REQUEST), params, template)).isEqualTo(expected);
    }

    @Test
    void aPullRequestAndATagHaveNames() {
        var pull = event(GitEvent.PULL_REQUEST).change();
        pull.pullRequest = Optional.of(666L);
        assertThat(filled(pull.build(), "[]", "{{ pull_request_number }}")).isEqualTo("666");
        var tag = event(GitEvent.PUSH).change();
        tag.base = "refs/tags/v1.0";
        assertThat(filled(tag.build(), "[]", "{{ git_tag }}")).isEqualTo("v1.0");
    }

    /// Upstream goes on with nothing filled at all.
    @ParameterizedTest
    @CsvSource({"body.nothing == 42", "NOTHING"})
    void aFilterThatCannotBeEvaluatedIsAnError(String filter) {
        assertThatThrownBy(() -> filled(
                        event(GitEvent.PUSH), "[{name: p, value: batman, filter: '" + filter + "'}]", "I am {{ p }}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is an error on the cel filter: p");
    }
}
