package dev.towtank.cluster.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BodyRoomTest {

    private final BodyRoom room = new BodyRoom(50 << 20, 25 << 20);

    private static WebRequest request(String method, String length) {
        Map<String, List<String>> headers = length.isEmpty() ? Map.of() : Map.of("content-length", List.of(length));
        return new WebRequest(method, "/", "", headers, InputStream.nullInputStream(), Optional.empty(), false);
    }

    private int taken(String method, String length) {
        var all = new ArrayList<BodyRoom.Taken>();
        boolean isFull = false;
        while (!isFull && all.size() < 100) {
            var next = room.take(request(method, length));
            next.ifPresent(all::add);
            isFull = next.isEmpty();
        }
        all.forEach(BodyRoom.Taken::close);
        return all.size();
    }

    @Test
    void theLargestAndThoseThatDoNotSayAreFew() {
        for (int i = 0; i < 3; i++) { // what is given back is there again
            assertThat(taken("POST", Integer.toString(25 << 20))).isEqualTo(2);
            assertThat(taken("POST", "")).isEqualTo(2);
            assertThat(taken("POST", "99999999999999999999")).isEqualTo(2);
            assertThat(taken("POST", "-7")).isEqualTo(100);
            assertThat(taken("POST", "3000000")).isEqualTo(17);
            assertThat(taken("GET", "")).isEqualTo(100);
        }
    }

    @Test
    void whoFindsNoRoomIsToldToComeAgain() {
        assertThat(BodyRoom.full().status()).isEqualTo(503);
        assertThat(BodyRoom.full().headers()).contains(new WebResponse.Header("Retry-After", "1"));
    }
}
