// Starts the conformance server for a test, and stops it.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { once } from "node:events";

/** Where the server lies in the build that is tested. */
export function serverPath() {
    const build = process.env.TENON_BUILD_DIR;
    if (!build)
        throw new Error("TENON_BUILD_DIR says where the build is: run this by ctest");
    return `${build}/servers/conformance`;
}

/** The words of the server on a pipe; with TENON_TEST_GUARDED they are those of `tenon guard` in front of it. */
export function serverWords(...flags) {
    const behind = (process.env.TENON_TEST_BEHIND ?? "").split("\n").filter((word) => word); // words before the server's
    const guard = [`${process.env.TENON_BUILD_DIR}/bin/tenon`, "guard", ...flags, "--", ...behind];
    return process.env.TENON_TEST_GUARDED ? [...guard, serverPath()] : [serverPath(), ...flags];
}

/**
 * Serves HTTP on a free port; resolves when it listens. What the server logs is kept in `log`. stop() ends it as an
 * operator does, and resolves to its exit code: 0 if it went well.
 */
export async function serve(words = serverWords("--http", "127.0.0.1:0")) {
    const child = spawn(words[0], words.slice(1), { stdio: ["ignore", "inherit", "pipe"] });
    const exited = once(child, "exit");
    const log = [];
    process.once("exit", () => child.kill("SIGKILL"));

    const url = await new Promise((resolve, reject) => {
        createInterface({ input: child.stderr }).on("line", (line) => {
            log.push(line);
            const found = line.match(/listening on (http:\S+)/);
            if (found)
                resolve(found[1]);
        });
        child.once("error", reject);
        child.once("exit", (code, signal) =>
            reject(new Error(`the server ended (${signal ?? code}) before it listened:\n${log.join("\n")}`)));
    });
    const stop = async () => {
        child.kill("SIGTERM");
        const [code, signal] = await exited;
        return signal ?? code;
    };
    return { url, log, stop, pid: child.pid };
}
