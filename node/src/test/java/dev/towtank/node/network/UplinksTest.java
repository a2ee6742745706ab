package dev.towtank.node.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UplinksTest {
    private final List<String> rules = new ArrayList<>();

    @TempDir
    Path machine;

    private Uplinks uplinks() {
        return new Uplinks(machine, "forwarding", machine.resolve("record"));
    }

    private Path link(String name, String forwarding) throws IOException {
        return Files.writeString(Files.createDirectory(machine.resolve(name)).resolve("forwarding"), forwarding + "\n");
    }

    @Test
    void whatWasOffIsOffAgainWithTheLastNetwork() throws IOException {
        var off = link("eth0", "0");
        var on = link("eth1", "1");
        uplinks()
                .open(
                        List.of("eth0", "eth1"),
                        shut -> rules.add(
                                "first " + shut + Files.readString(off).strip()));
        uplinks().open(List.of("eth0", "eth1"), shut -> rules.add("second " + shut));

        assertThat(rules).containsExactly("first [eth0]0", "second [eth0]");
        assertThat(off).hasContent("1");
        uplinks().close(false, _ -> {});
        assertThat(off).hasContent("1");
        uplinks().close(true, _ -> rules.add("gone at " + Files.readString(off)));
        assertThat(rules).last().isEqualTo("gone at 0");
        assertThat(on).hasContent("1");
        uplinks().open(List.of("eth1"), shut -> rules.add("third " + shut));
        assertThat(rules).last().isEqualTo("third []");
    }
}
