/// Keys and certificates of one data directory: its own authority, what the server and the administrator show, and the
/// key that signs service account tokens. Made once, renewed before they run out.
///
/// Reading what is there needs the JDK alone; Bouncy Castle makes new certificates and is loaded only for that.
@NullMarked
package dev.towtank.apiserver.pki;

import org.jspecify.annotations.NullMarked;
