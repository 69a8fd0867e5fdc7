package dev.argus.storage.duck;

import dev.argus.storage.DataFolder;
import dev.argus.storage.object.FolderObjects;
import java.nio.file.Path;

/** A process that commits and tidies up as fast as it can, until it is killed; it prints the number of each batch that was kept. */
final class KilledStore {
    private KilledStore() {}

    public static void main(String[] args) throws Exception {
        DataFolder data = new DataFolder(Path.of(args[0]));
        DuckStore store = DuckStore.open(data, DuckStore.LEAST_BUDGET_BYTES * 4, new FolderObjects(data.objects()));
        Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try {
                    store.maintain(Batches.EPOCH + store.committed() * 60 * Batches.SECOND);
                } catch (Exception failed) {
                    System.err.println("cannot tidy up: " + failed);
                    Runtime.getRuntime().halt(1);
                }
            }
        });
        for (long n = store.committed() + 1; ; n++) {
            store.commit(Batches.step(n, Batches.EPOCH + n * 60 * Batches.SECOND, "j", 2000));
            System.out.println(n);
            System.out.flush();
        }
    }
}
