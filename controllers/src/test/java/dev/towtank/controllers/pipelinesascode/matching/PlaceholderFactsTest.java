package dev.towtank.controllers.pipelinesascode.matching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.model.JsonText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What upstream's own tables say about placeholders.
class PlaceholderFactsTest {

    private static final ChangedFiles FILES =
            new ChangedFiles(List.of("main.go"), List.of(), List.of(), List.of("README.md"));

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{{ revision }}} {{ url }} {{ bar}} {{ git_tag }} | master} https://u {{ bar}} v1.0 | {}",
                "{{ body.hello }}                                 | world                          | {\"hello\":\"world\"}",
                "{{ body.hello == 'world' }}                      | true                           | {\"hello\":\"world\"}",
                "{{ headers[\"X-Hello\"] }}                       | World                          | {}",
                "{{ headers[\"x-hello\"] }}                       | World                          | {}",
                "{{ headers.Accept }}                             | application/json               | {}",
                "{{ headers[\"User-Agent\"] }}                    | test-agent/1.0                 | {}",
                "{{ headers[\"X-Github-Event\"] }}                | push                           | {}",
                "{{ files.all[0] }}                               | main.go                        | {}",
                "{{ body.hello }}                                 | {{ body.hello }}               | {}",
                "{{ body.count }}                                 | 42                             | {\"count\":42}",
                "{{ body.enabled }}                               | true                           | {\"enabled\":true}",
                "{{ body.nonexistent }}                           | {{ body.nonexistent }}         | {\"existing\":1}",
                "{{ missing_key }}                                | {{ missing_key }}              | {}",
                "{{ body.items }}                                 | [\"item1\",\"item2\"]          | {\"items\":[\"item1\",\"item2\"]}",
                "{{ body.config }}                                | {\"name\":\"test\"}            | {\"config\":{\"name\":\"test\"}}",
                "{{ body.price }}                                 | 42.5                           | {\"price\":42.5}",
                "{{ body.deep.nested.value }}                     | found                          | {\"deep\":{\"nested\":{\"value\":\"found\"}}}",
                "{{ body.value }}                                 | ~~                             | {\"value\":null}",
                "{{ cel: body.hello }}                            | world                          | {\"hello\":\"world\"}",
                "{{ cel:    body.hello   }}                       | world                          | {\"hello\":\"world\"}",
                "{{ cel: body.action == \"opened\" ? \"new\" : \"old\" }} | new                       | {\"action\":\"opened\"}",
                "{{ cel: body.action == \"opened\" ? \"new\" : \"old\" }} | old                       | {\"action\":\"synchronize\"}",
                "{{ cel: pac.target_branch }}                     | main                           | {}",
                "{{ cel: pac.target_branch == \"main\" ? \"prod\" : \"dev\" }} | prod                 | {}",
                "{{ cel: has(body.x) ? body.x : \"default\" }}    | custom                         | {\"x\":\"custom\"}",
                "{{ cel: has(body.x) ? body.x : \"default\" }}    | default                        | {}",
                "{{ cel: files.all.exists(f, f.endsWith(\".go\")) ? \"yes\" : \"no\" }} | yes         | {}",
                "{{ cel: files.all.exists(f, f.endsWith(\".c\")) ? \"yes\" : \"no\" }}  | no          | {}",
                "{{ cel: headers[\"X-Github-Event\"] }}           | push                           | {}",
                "{{ cel: body.draft == true }}                    | false                          | {\"draft\":false}",
                "{{ cel: invalid.syntax[ }}                       | ~~                             | {}",
                "{{ cel: body.nonexistent.deep.field }}           | ~~                             | {}",
                "{{ cel: \"Hello, \" + body.name + \"!\" }}       | Hello, World!                  | {\"name\":\"World\"}",
                "{{ cel: body.items.size() }}                     | 3                              | {\"items\":[\"a\",\"b\",\"c\"]}",
                "{{ cel: has(body.head_commit) && body.head_commit.message.startsWith(\"Merge\") ? \"merge\" : \"regular\" }} | merge | {\"head_commit\":{\"message\":\"Merge it\"}}",
                "{{ cel: has(body.head_commit) && body.head_commit.message.startsWith(\"Merge\") ? \"merge\" : \"regular\" }} | regular | {\"head_commit\":{\"message\":\"Fix it\"}}",
                "{{ target_branch }} {{ cel: pac.revision }}      | main master                    | {}",
            })
    void areFilledAsUpstreamFillsThem(String template, String filled, String body) {
        var headers = Map.of(
                "x-hello",
                "World",
                "accept",
                "application/json",
                "user-agent",
                "test-agent/1.0",
                "x-github-event",
                "push");
        var event = GitEvent.of(GitEvent.Forge.GITHUB, JsonText.parseObject(body), headers)
                .build();
        var values = Map.of("revision", "master", "url", "https://u", "git_tag", "v1.0", "target_branch", "main");
        assertThat(new Placeholders(event, () -> FILES, values).fill(template)).isEqualTo(filled);
    }

    @Test
    void theNamesThatAreAlwaysThere() {
        var event = GitEvent.of(GitEvent.Forge.GITHUB, JsonText.parseObject("{}"), Map.of());
        event.sha = "1234567890";
        event.owner = "Org";
        event.name = "Repo";
        event.base = "main";
        event.head = "foo";
        event.type = GitEvent.PULL_REQUEST;
        event.sender = "SENDER";
        event.url = "https://paris.com";
        event.headUrl = "https://india.com";
        event.comment = "\n/test me\nHelp\r\n\r\nor not?\n";
        event.labels = List.of("bugs", "enhancements");
        assertThat(Placeholders.standard(event.build(), "myns"))
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("event_type", "pull_request"),
                        Map.entry("repo_name", "repo"),
                        Map.entry("repo_owner", "org"),
                        Map.entry("repo_url", "https://paris.com"),
                        Map.entry("source_url", "https://india.com"),
                        Map.entry("revision", "1234567890"),
                        Map.entry("sender", "sender"),
                        Map.entry("source_branch", "foo"),
                        Map.entry("git_tag", ""),
                        Map.entry("target_branch", "main"),
                        Map.entry("target_namespace", "myns"),
                        Map.entry("trigger_comment", "\\n/test me\\nHelp\\n\\nor not?\\n"),
                        Map.entry("pull_request_labels", "bugs\\nenhancements")));
        event.base = "refs/tags/v1.0";
        event.head = event.base;
        assertThat(Placeholders.standard(event.build(), "myns"))
                .containsEntry("git_tag", "v1.0")
                .containsEntry("target_branch", "refs/tags/v1.0")
                .containsEntry("source_branch", "refs/tags/v1.0");
    }
}
