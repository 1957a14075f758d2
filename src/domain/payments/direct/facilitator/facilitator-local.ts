import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { SECOND } from "../../../../platform/clock.ts";
import type { HttpClient } from "../../../../platform/http-client/http-client.ts";
import { within } from "../../../../platform/time-limit.ts";
import type { PaymentLog } from "../../orders/deps.ts";
import { kindOf } from "../chain/evm-rpc.ts";
import { reasonOf } from "../protocol/reasons.ts";
import { gasTooDear } from "../protocol/refusals.ts";
import type { Payload, Requirements } from "../protocol/x402.ts";
import { type Facilitator, FacilitatorUnreachable, type SettleResult, type Verdict } from "./facilitator.ts";
import { type HandedOver, HandedOverPayments } from "./handed-over.ts";
import { type Attempt, newAttempt, signerOf } from "./signer.ts";
import type { WalletSettings } from "./wallet/account.ts";
import { GasTooDear } from "./wallet/fees.ts";
import { FacilitatorWallet, type WalletFigures } from "./wallet/wallet.ts";
import { WhileBusy } from "./while-busy.ts";

/** In ms. A payment that is not in a block by then is found later by a check of the chain. */
const TIMES = { verify: 10 * SECOND, settle: 30 * SECOND, receipt: 25 * SECOND };

type LocalSettings = WalletSettings & { readonly network: string };

/** A facilitator in this process: the library's own rules, and our account (X402_FACILITATOR_KEY). */
export class LocalFacilitator implements Facilitator {
  readonly #network: string;
  readonly #wallet: FacilitatorWallet;
  readonly #log: PaymentLog;
  readonly #times: typeof TIMES;
  readonly #handedOver = new HandedOverPayments();
  readonly #upkeep: WhileBusy;
  #maintaining: Promise<boolean> | null = null;
  #wasCapped = false;

  constructor(settings: LocalSettings, http: HttpClient, log: PaymentLog, times = TIMES) {
    this.#network = settings.network;
    this.#wallet = new FacilitatorWallet(settings, http);
    this.#log = log;
    this.#times = times;
    const isBusy = () => this.#wallet.isBusy || this.#handedOver.size > 0;
    this.#upkeep = new WhileBusy(isBusy, () => this.#maintainOnce());
  }

  async verify(payload: Payload, requirements: Requirements): Promise<Verdict> {
    const { attempt, scheme } = this.#attempt();
    const said = await this.#answered(scheme.verify(wireOf(payload), wireOf(requirements)), this.#times.verify);
    if (!said || attempt.hasChainFailed) throw new FacilitatorUnreachable();
    if (!said.isValid) return { isValid: false, reason: reasonOf(said.invalidReason) };
    await this.#refuseWhileDear();
    return { isValid: true };
  }

  /** From then on a payment whose outcome is unknown is sent again until it is decided or expires. */
  async settle(payload: Payload, requirements: Requirements): Promise<SettleResult> {
    const payment = this.#handedOver.add(payload, requirements);
    const { result, attempt } = await this.#submit(payment, this.#times.receipt);
    await this.#tellWhyNotSent(attempt);
    this.#upkeep.begin();
    return result;
  }

  async serves(network: string): Promise<boolean> {
    const isPoor = await this.#wallet.lacksGas().catch(() => false);
    if (isPoor) this.#log.error({ account: this.#wallet.address }, NO_GAS);
    this.#tellOfCap();
    return network === this.#network;
  }

  async maintain(): Promise<void> {
    await this.#maintainOnce();
    this.#upkeep.begin();
  }

  figures(): WalletFigures {
    return this.#wallet.figures();
  }

  /** Ends the upkeep that runs by itself, as the end of the process does. */
  stop(): void {
    this.#upkeep.stop();
  }

  #attempt(receiptMs = 0) {
    const attempt = newAttempt();
    return { attempt, scheme: new ExactEvmScheme(signerOf(this.#wallet, attempt, receiptMs)) };
  }

  async #submit(
    payment: HandedOver,
    receiptMs: number,
  ): Promise<{ readonly result: SettleResult; readonly attempt: Attempt }> {
    const { attempt, scheme } = this.#attempt(receiptMs);
    const settling = scheme.settle(wireOf(payment.payload), wireOf(payment.requirements));
    const said = await this.#answered(settling, this.#times.settle);
    if (attempt.sent) payment.sent = attempt.sent;
    const isOpen = !said || attempt.isHandedOver || attempt.hasChainFailed;
    if (said?.success || !isOpen) this.#handedOver.drop(payment);
    if (said?.success) return { result: { outcome: "done" }, attempt };
    const reason = reasonOf(said?.errorReason);
    // Both reasons can mean that an earlier call has sent it.
    const isUnknown = isOpen || payment.sent !== null || reason === "already_used" || reason === "expired";
    return { result: isUnknown ? { outcome: "unknown" } : { outcome: "refused", reason }, attempt };
  }

  #isOnItsWay({ sent }: HandedOver): boolean {
    return sent !== null && this.#wallet.carries(sent);
  }

  /**
   * One round at a time.
   * @returns false if the nodes did not answer
   */
  #maintainOnce(): Promise<boolean> {
    this.#maintaining ??= this.#bringOn()
      .catch(() => false)
      .finally(() => {
        this.#maintaining = null;
        this.#tellOfCap();
      });
    return this.#maintaining;
  }

  async #bringOn(): Promise<boolean> {
    this.#handedOver.dropExpired(Date.now());
    await this.#wallet.upkeep();
    for (const payment of this.#handedOver.all()) {
      if (this.#isOnItsWay(payment)) continue;
      const { attempt } = await this.#submit(payment, 0);
      if (attempt.hasChainFailed) return false;
    }
    return true;
  }

  /** @throws Refusal unavailable, FacilitatorUnreachable */
  async #refuseWhileDear(): Promise<void> {
    try {
      await this.#wallet.checkPrice();
    } catch (thrown) {
      throw thrown instanceof GasTooDear ? gasTooDear() : new FacilitatorUnreachable();
    } finally {
      this.#tellOfCap();
    }
  }

  /** Logged once each time that it begins. */
  #tellOfCap(): void {
    const { isCapped } = this.#wallet.figures();
    if (isCapped && !this.#wasCapped) this.#log.warn({}, TOO_DEAR);
    this.#wasCapped = isCapped;
  }

  async #tellWhyNotSent({ failure, hasChainFailed }: Attempt): Promise<void> {
    if (!failure || !hasChainFailed) return;
    if (failure instanceof GasTooDear) return this.#tellOfCap();
    if (await this.#wallet.lacksGas().catch(() => false)) {
      this.#log.error({ account: this.#wallet.address }, NO_GAS);
      return;
    }
    this.#log.warn({ problem: kindOf(failure) }, "a payment could not be sent to the chain; it is tried again");
  }

  /** @returns null if it failed or took too long */
  #answered<T>(work: Promise<T>, ms: number): Promise<T | null> {
    const failed = (thrown: unknown) => {
      this.#log.error({ problem: (thrown as Error).name }, "the library of the facilitator has failed");
      return null;
    };
    return within(work.catch(failed), ms);
  }
}

const NO_GAS = "the account of X402_FACILITATOR_KEY has not enough to pay the gas of a payment: no payment is settled";
const TOO_DEAR = "gas is dearer than X402_MAX_GAS_GWEI at the moment: no payment is settled until it is not";

/** The library's types are wider, and not readonly. */
function wireOf<T>(value: unknown): T {
  return value as T;
}
