/** The covers that are drawn for their piece. */
import type { Svg } from '../svg.ts';
import { cover as anAppointmentInTheSargasso } from './an-appointment-in-the-sargasso.ts';
import { cover as beberLaNiebla } from './beber-la-niebla.ts';
import { cover as dearTree } from './dear-tree.ts';
import { cover as doscientosCuarentaMetros } from './doscientos-cuarenta-metros.ts';
import { cover as elBarcoQueSubioLaMontana } from './el-barco-que-subio-la-montana.ts';
import { cover as elFuegoQueNoQuema } from './el-fuego-que-no-quema.ts';
import { cover as elGalloDeLaAzotea } from './el-gallo-de-la-azotea.ts';
import { cover as elPuenteQueSeTejeCadaAno } from './el-puente-que-se-teje-cada-ano.ts';
import { cover as isThereAnyCoffeeLeft } from './is-there-any-coffee-left.ts';
import { cover as laLunaEnElBalde } from './la-luna-en-el-balde.ts';
import { cover as laPalabraEquivocada } from './la-palabra-equivocada.ts';
import { cover as pleaseFeedGerald } from './please-feed-gerald.ts';
import { cover as sieteMinutosDeAbuela } from './siete-minutos-de-abuela.ts';
import { cover as theBusThatStayed } from './the-bus-that-stayed.ts';
import { cover as theGiraffeWhoWalkedToParis } from './the-giraffe-who-walked-to-paris.ts';
import { cover as theOttersPocket } from './the-otters-pocket.ts';
import { cover as thePianoUpstairs } from './the-piano-upstairs.ts';
import { cover as theStrangerInTheRecording } from './the-stranger-in-the-recording.ts';
import { cover as theTapeOnShelfNine } from './the-tape-on-shelf-nine.ts';
import { cover as theWrongHalfOfTheTrain } from './the-wrong-half-of-the-train.ts';
import { cover as threeSecondsBehind } from './three-seconds-behind.ts';
import { cover as toWhoeverBuysTheHouse } from './to-whoever-buys-the-house.ts';
import { cover as tratadoMinimoDelAhorita } from './tratado-minimo-del-ahorita.ts';
import { cover as unPapaConLaBocaLlena } from './un-papa-con-la-boca-llena.ts';
import { cover as unaNovelaMalisima } from './una-novela-malisima.ts';
import { cover as unaPapaParaCadaDia } from './una-papa-para-cada-dia.ts';
import { cover as vueloAlTrabajo } from './vuelo-al-trabajo.ts';
import { cover as waterSaltAndADoor } from './water-salt-and-a-door.ts';

/** Every cover by its piece's slug. */
export const covers: Readonly<Record<string, () => Svg>> = {
  'an-appointment-in-the-sargasso': anAppointmentInTheSargasso,
  'beber-la-niebla': beberLaNiebla,
  'dear-tree': dearTree,
  'doscientos-cuarenta-metros': doscientosCuarentaMetros,
  'el-barco-que-subio-la-montana': elBarcoQueSubioLaMontana,
  'el-fuego-que-no-quema': elFuegoQueNoQuema,
  'el-gallo-de-la-azotea': elGalloDeLaAzotea,
  'el-puente-que-se-teje-cada-ano': elPuenteQueSeTejeCadaAno,
  'is-there-any-coffee-left': isThereAnyCoffeeLeft,
  'la-luna-en-el-balde': laLunaEnElBalde,
  'la-palabra-equivocada': laPalabraEquivocada,
  'please-feed-gerald': pleaseFeedGerald,
  'siete-minutos-de-abuela': sieteMinutosDeAbuela,
  'the-bus-that-stayed': theBusThatStayed,
  'the-giraffe-who-walked-to-paris': theGiraffeWhoWalkedToParis,
  'the-otters-pocket': theOttersPocket,
  'the-piano-upstairs': thePianoUpstairs,
  'the-stranger-in-the-recording': theStrangerInTheRecording,
  'the-tape-on-shelf-nine': theTapeOnShelfNine,
  'the-wrong-half-of-the-train': theWrongHalfOfTheTrain,
  'three-seconds-behind': threeSecondsBehind,
  'to-whoever-buys-the-house': toWhoeverBuysTheHouse,
  'tratado-minimo-del-ahorita': tratadoMinimoDelAhorita,
  'un-papa-con-la-boca-llena': unPapaConLaBocaLlena,
  'una-novela-malisima': unaNovelaMalisima,
  'una-papa-para-cada-dia': unaPapaParaCadaDia,
  'vuelo-al-trabajo': vueloAlTrabajo,
  'water-salt-and-a-door': waterSaltAndADoor,
};
