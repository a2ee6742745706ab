package dev.towtank.controllers.buckets.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ListingTest {

    private static NavigableMap<String, String> keys(String... all) {
        var keys = new TreeMap<String, String>(Listing.ORDER);
        List.of(all).forEach(key -> keys.put(key, key));
        return keys;
    }

    private static List<String> pages(String prefix, String delimiter, int limit, NavigableMap<String, String> keys) {
        var pages = new ArrayList<String>();
        var after = "";
        do {
            var page = new Listing(prefix, delimiter, after, limit).of(keys);
            pages.add(page.objects() + " " + page.prefixes());
            after = page.next();
        } while (!after.isEmpty());
        return pages;
    }

    @Test
    void keysComeInPages() {
        assertThat(pages("", "", 2, keys("a", "b", "c", "d", "e"))).containsExactly("[a, b] []", "[c, d] []", "[e] []");
    }

    @Test
    void keysBelowADelimiterAreSummedUpOnce() {
        var keys = keys("a", "m/1", "m/2", "m/3", "n/1", "z");

        assertThat(pages("", "/", 1000, keys)).containsExactly("[a, z] [m/, n/]");
        assertThat(pages("", "/", 1, keys)).containsExactly("[a] []", "[] [m/]", "[] [n/]", "[z] []");
        assertThat(pages("m/", "/", 2, keys)).containsExactly("[m/1, m/2] []", "[m/3] []");
    }

    @Test
    void aPrefixThatNothingHasGivesNothing() {
        assertThat(pages("x", "/", 10, keys("a", "z"))).containsExactly("[] []");
    }

    @Test
    void keysAreOrderedByTheirBytes() {
        // U+FF5E comes before U+1F600 in UTF-8, and behind its halves in UTF-16
        assertThat(pages("", "", 10, keys("\uD83D\uDE00", "\uFF5E", "..", "a")))
                .containsExactly("[.., a, \uFF5E, \uD83D\uDE00] []");
    }
}
